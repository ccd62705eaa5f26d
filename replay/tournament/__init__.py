"""Matches played at random or between bots, and the bots' records."""
