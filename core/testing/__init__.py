"""Laws, strategies and simulations: the tests of our games and hosts, for those of other people too."""

from ..errors import MissingExtra

try:
    from .host_simulation import host_simulation
    from .judging import mutation_report
    from .laws import game_laws, golden_logs
    from .laws_of_record import Case
    from .samples import commands, matches, option_sets, positions
except ModuleNotFoundError as missing:
    if missing.name not in ("greenlet", "hypothesis", "pytest"):
        raise
    raise MissingExtra("kifu.core.testing", "test") from None

__all__ = [
    "Case",
    "commands",
    "game_laws",
    "golden_logs",
    "host_simulation",
    "matches",
    "mutation_report",
    "option_sets",
    "positions",
]
