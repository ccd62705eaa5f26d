"""Scenes and notes as text."""
