"""Logs in bulk: finding and opening them, and working on many of them at once."""
