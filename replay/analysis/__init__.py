"""Computations about logs that the verbs share; nothing here prints."""
