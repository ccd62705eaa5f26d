"""Every exception that leaves kifu: one root, attributes instead of prose, picklable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .game import RuleBook


class KifuError(Exception):
    """The root of all that kifu raises on purpose.

    An error is made of positional values alone, so that each of them pickles as it is.
    """


class RuleViolation(KifuError):  # noqa: N818 (the field's word, and ours)
    """A command that a rule forbids.

    `rule` is the broken rule, a member of a game's `RuleBook` or of `TableRule`; `seat` is who tried;
    `facts` are the values that show it, all of them known to that seat.
    """

    def __init__(self, rule: RuleBook, /, seat: int | None = None, **facts: Any) -> None:
        super().__init__(rule, seat, facts)
        self.rule = rule
        self.seat = seat
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        return _violation, (type(self), self.rule, self.seat, self.facts)

    def __str__(self) -> str:
        said = {"seat": self.seat, **self.facts} if self.seat is not None else self.facts
        facts = ", ".join(f"{name} {value}" for name, value in said.items())
        return f"{self.rule.number}: {self.rule.sentence}" + (f" ({facts})" if facts else "")


def _violation(kind: type[RuleViolation], rule: RuleBook, seat: int | None, facts: dict[str, Any]) -> RuleViolation:
    return kind(rule, seat, **facts)


class OptionError(KifuError):
    """An option that the game does not have, or a value that it does not take."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(option, why)
        self.option = option
        self.why = why

    def __str__(self) -> str:
        return f"option {self.option[:60]!a}: {self.why}"


class MatchError(KifuError):
    """A match that cannot be set up or cannot go on: the number of seats, a seed, an end."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class GameError(KifuError):
    """A game that is not installed, or whose definition does not hold together."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(game, why)
        self.game = game
        self.why = why

    def __str__(self) -> str:
        return f"game {self.game!r}: {self.why}"


class LogError(KifuError):
    """A log that cannot be used: what is wrong with it, and where.

    `kind` is one of the kinds of `docs/log-format.md` (`header`, `torn`, `chain`, `form`, `rule`, `digest`,
    `result`) or `file` if it cannot be read or written at all; `seq` is the event, None if it is not on an event;
    `rule` is the number of the broken rule for kind `rule`; `path` is the file, if there is one.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        seq: int | None = None,
        rule: str | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(kind, message, seq, rule, path)
        self.kind = kind
        self.message = message
        self.seq = seq
        self.rule = rule
        self.path = path

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        at = f"event {self.seq}: " if self.seq is not None else ""
        return f"{where}{self.kind}: {at}{self.message}"


class BotError(KifuError):
    """A bot that is not installed, whose name is not understood, or that gave no command: what is wrong."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class TraceError(KifuError):
    """A trace that cannot be used: what is wrong with it."""

    def __init__(self, why: str, path: str | None = None) -> None:
        super().__init__(why, path)
        self.why = why
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.why}" if self.path else self.why


class EngineError(KifuError):
    """An engine that gives no trace: the Python that runs it, and what became of it."""

    def __init__(self, engine: str, why: str) -> None:
        super().__init__(engine, why)
        self.engine = engine
        self.why = why

    def __str__(self) -> str:
        return f"engine {self.engine}: {self.why}"


class StoreError(KifuError):
    """A store that cannot be used or fails: which one, and what happened."""

    def __init__(self, store: str, why: str) -> None:
        super().__init__(store, why)
        self.store = store
        self.why = why

    def __str__(self) -> str:
        return f"store {self.store}: {self.why}"


class NoMatch(KifuError):  # noqa: N818 (says what is missing)
    """A match that a store does not have."""

    def __init__(self, match: str) -> None:
        super().__init__(match)
        self.match = match

    def __str__(self) -> str:
        return f"there is no match {self.match[:60]!a}"


class Conflict(KifuError):  # noqa: N818 (the field's word)
    """Somebody else was first: the log of a match has gone on, or its sheet has changed.

    `meanwhile` is what happened since, as the seat that is told of it saw it.
    """

    def __init__(self, match: str, at: int, count: int, meanwhile: tuple[Any, ...] = ()) -> None:
        super().__init__(match, at, count, meanwhile)
        self.match = match
        self.at = at
        self.count = count
        self.meanwhile = meanwhile

    def __str__(self) -> str:
        how = f"it has {self.count} events, not {self.at}" if self.at != self.count else "it is not as it was"
        return f"match {self.match[:60]!a} was changed meanwhile: {how}; read it again"


class KeyRefused(KifuError):  # noqa: N818 (says what happened)
    """A key that opens no seat of a match, or none where one is needed."""

    def __init__(self, match: str) -> None:
        super().__init__(match)
        self.match = match

    def __str__(self) -> str:
        return f"this key opens no seat of match {self.match[:60]!a}"


class MissingExtra(KifuError):  # noqa: N818 (says what is missing)
    """A part of kifu whose libraries are not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, extra)
        self.what = what
        self.extra = extra

    def __str__(self) -> str:
        return f"{self.what} needs an extra: pip install 'kifu[{self.extra}]'"
