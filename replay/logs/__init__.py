"""Logs: finding and opening them, and working on many of them at once."""
