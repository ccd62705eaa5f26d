"""The bots of `replay serve`: no level thinks longer than a second."""

from kifu.core.match.registry import find_bot
from kifu.games.bots.arguments import seconds_of
from kifu.games.bots.levels import LEVELS
from kifu.replay.commands.serve import LEVEL_LIMIT, limited


def test_the_levels_have_a_limit_and_other_bots_are_as_named():
    for level in LEVELS:
        kind, _, limit = limited(level).partition(":")
        assert (kind, limit) == (level, LEVEL_LIMIT)
        assert seconds_of(limit) < 1
        find_bot(limited(level))
    assert [limited(name) for name in ("ismcts:300ms", "strong:2s", "random")] == [
        "ismcts:300ms",
        "strong:2s",
        "random",
    ]
