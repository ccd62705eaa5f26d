"""What a game is, the fold, the log, the stores and the host."""
