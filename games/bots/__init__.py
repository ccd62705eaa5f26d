"""Bots that know no game: `random`, `greedy`, `ismcts:200`. They get an information state, and ask for hints."""

from ...core.match.registry import bot_names as names
from ...core.match.registry import find_bot as find

__all__ = ["find", "names"]
