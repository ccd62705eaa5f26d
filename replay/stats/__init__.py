"""Figures, tables and charts over many logs."""
