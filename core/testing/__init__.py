"""Laws, strategies and contracts: the tests of our games and stores, for those of other people too."""

from ..errors import MissingExtra

try:
    from .case import Case
    from .golden import golden_logs
    from .host_simulation import host_contract, host_simulation
    from .laws import game_laws
    from .mutation_report import mutation_report
    from .store_contract import migration_contract, store_contract
    from .strategies import commands, matches, option_sets, positions
except ModuleNotFoundError as missing:
    if missing.name not in ("greenlet", "hypothesis", "pytest"):
        raise
    raise MissingExtra("kifu.core.testing", "test") from None

__all__ = [
    "Case",
    "commands",
    "game_laws",
    "golden_logs",
    "host_contract",
    "host_simulation",
    "matches",
    "migration_contract",
    "mutation_report",
    "option_sets",
    "positions",
    "store_contract",
]
