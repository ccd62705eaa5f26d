"""Players that know no game: `random`, `greedy`, `ismcts:200`. They see what their seat sees, and ask for hints."""
