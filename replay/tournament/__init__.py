"""Matches between bots, and their records."""
