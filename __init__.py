"""Digital tabletop games driven by commands, recorded as logs, replayed, audited and compared.

match = kifu.new("take_and_share", seats=["Aki", "Ren", "Mio", "Sou"])
step = match.play(0, match.legal(0)[0])
match.save("game.log")
match = kifu.load("game.log")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, urandom
from time import time
from typing import TYPE_CHECKING, Any, TypeVar, overload

from attrs import evolve

from . import games
from .core import log
from .core.errors import GameError, KifuError, LogError, MatchError, MissingExtra, OptionError
from .core.game import (
    TABLE,
    Card,
    Event,
    Face,
    Fact,
    Game,
    Meta,
    Note,
    Part,
    Place,
    RedactedCommand,
    Result,
    RuleBook,
    RulesChange,
    RulesRefused,
    RuleViolation,
    Scene,
    Seat,
    SectionKind,
    Step,
    TableRule,
    Takeback,
    Thing,
    Zone,
)
from .core.log import LogWriter, save
from .core.match import Match, Position
from .core.match.compiled import COMPILED
from .core.match.engine import engine_of
from .core.match.header import Fork, Header, new_header
from .core.match.registry import finder_of, resolve
from .core.text.names import checked_names

if TYPE_CHECKING:
    from .core.trust.ceremony import Ceremony

__version__ = "1.0.0rc1"


S = TypeVar("S")
C = TypeVar("C")
V = TypeVar("V")


class _Fresh(bytes):
    """No seed given: one is drawn."""


_FRESH = _Fresh()


def new(
    game: str | Game[Any, Any, Any],
    seats: Sequence[str],
    options: Mapping[str, Any] | None = None,
    *,
    seed: bytes | None = _FRESH,
    match: str | None = None,
    started: int | None = None,
    engine: str | None = None,
    trust: Ceremony | None = None,
) -> Match[Any, Any, Any]:
    """Return a new match, dealt.

    - `game`: a game, its name, or where it is, as `high_card.py` or `package.module:GAME`: that runs the file, so look
      up a name from outside by `kifu.games.find`.
    - `seats`: the display names, clockwise, no two the same; kept in Unicode's form NFC, without blanks around.
    - `seed`: 32 bytes from which the table deals; a fresh one if not given (none for a game that deals nothing). With
      None there is no seed, and each deal must be played as a command of `TABLE`.
    - `match`: the id of the match; 16 random hex digits if not given.
    - `started`: milliseconds since the Unix epoch; now if not given.
    - `engine`: the program's name in the header; by default this one, with a digest of its sources.
    - `trust`: the ceremony of a fair deal that was held for this match, which gives seed and id (`docs/trust.md`).

    Raises `GameError`, `MatchError` or `OptionError`.
    """
    if trust is not None:
        from .core.trust.ceremony import check_ceremony, with_deal

        check_ceremony(trust)
    chosen = resolve(game) if isinstance(game, str) else game
    if seed is _FRESH:
        seed = urandom(32) if trust is None and getattr(chosen, "has_deal", True) else None
    header = new_header(
        chosen,
        seats,
        {} if options is None else options,
        seed,
        match=(urandom(8).hex() if trust is None else trust.match) if match is None else match,
        started=int(time() * 1000) if started is None else started,
        engine=engine_of(chosen) if engine is None and isinstance(chosen, Game) else engine,
    )
    header = evolve(header, seats=checked_names(header.seats))
    if trust is not None:
        header = with_deal(header, chosen, trust)
    new_match: Match[Any, Any, Any] = Match(chosen, header)
    new_match.deal()
    return new_match


@overload
def load(path: str | PathLike[str], *, game: Game[S, C, V]) -> Match[S, C, V]: ...
@overload
def load(path: str | PathLike[str], *, game: str | None = None) -> Match[Any, Any, Any]: ...
def load(path: str | PathLike[str], *, game: str | Game[Any, Any, Any] | None = None) -> Match[Any, Any, Any]:
    """Return the match in a log, or in the JSON form of one.

    With `game`, of a game that need not be installed: itself, its name, or where it is, as for `new`.

    Raises `LogError` and nothing else; it says what is wrong and where. Where `game` is no game, raises `GameError`.
    """
    return log.load(path) if game is None else log.load(path, finder_of(game))


__all__ = [
    "COMPILED",
    "TABLE",
    "Card",
    "Event",
    "Face",
    "Fact",
    "Fork",
    "Game",
    "GameError",
    "Header",
    "KifuError",
    "LogError",
    "LogWriter",
    "Match",
    "MatchError",
    "Meta",
    "MissingExtra",
    "Note",
    "OptionError",
    "Part",
    "Place",
    "Position",
    "RedactedCommand",
    "Result",
    "RuleBook",
    "RuleViolation",
    "RulesChange",
    "RulesRefused",
    "Scene",
    "Seat",
    "SectionKind",
    "Step",
    "TableRule",
    "Takeback",
    "Thing",
    "Zone",
    "__version__",
    "games",
    "load",
    "log",
    "new",
    "save",
]
