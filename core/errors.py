"""Every exception that leaves kifu: one root, attributes instead of prose, picklable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self


class Message(str):
    """Why something is refused: an English text, which other languages say by the message `why-KEY` of its room.

    `Why("no-seats", "there are {count} seats", count=4)` is the text "there are 4 seats". A value may be a `Why` too.
    """

    __slots__ = ("english", "key", "values")

    key: str
    english: str
    values: Mapping[str, Any]

    package: ClassVar[str] = "kifu.core.text"
    """The package whose catalogues have the message; a game makes a subclass that names its own."""

    def __new__(cls, key: str, english: str, /, **values: Any) -> Self:
        why = super().__new__(cls, english.format_map(values))
        why.key, why.english, why.values = key, english, values
        return why

    def __reduce__(self) -> tuple[Any, ...]:
        return _why, (type(self), self.key, self.english, self.values)


def _why(kind: type[Message], key: str, english: str, values: Mapping[str, Any]) -> Message:
    return kind(key, english, **values)


OFTEN = (
    Message("not-there", "No such file or directory"),
    Message("not-allowed", "Permission denied"),
    Message("a-folder", "Is a directory"),
    Message("no-folder", "Not a directory"),
    Message("already-there", "File exists"),
    Message("name-too-long", "File name too long"),
    Message("disk-full", "No space left on device"),
    Message("read-only", "Read-only file system"),
    Message("address-in-use", "Address already in use"),
    Message("no-address", "Cannot assign requested address"),
    Message("unopened-database", "unable to open database file"),
    Message("no-database", "file is not a database"),
    Message("locked-database", "database is locked"),
)


def os_error_message(cause: Exception) -> str:
    """Give what an operating system or a database says of a file; as a `Why`, if it says so often."""
    said = getattr(cause, "strerror", None) or (cause.args[0] if len(cause.args) == 1 else cause)
    return said if isinstance(said, Message) else next((each for each in OFTEN if each == said), str(said))


class KifuError(Exception):
    """The root of all that kifu raises on purpose.

    An error is made of positional values alone, so that each of them pickles as it is.
    """

    @property
    def summary(self) -> str:
        """What it says: a `Why`, unless it was raised without."""
        return self.args[0] if len(self.args) == 1 and isinstance(self.args[0], str) else super().__str__()

    def __str__(self) -> str:
        return str(self.summary)


class OptionError(KifuError):
    """An option that the game does not have, or a value that it does not take."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(option, why)
        self.option = option
        self.why = why

    @property
    def summary(self) -> str:
        return Message("option", "option {option}: {why}", option=ascii(self.option[:60]), why=self.why)


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

    @property
    def summary(self) -> str:
        return Message("game", "game {game}: {why}", game=repr(self.game), why=self.why)


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

    @property
    def summary(self) -> str:
        said = Message("finding", "{kind}: {why}", kind=self.kind, why=self.message)
        if self.seq is not None:
            said = Message("finding-at", "{kind}: event {seq}: {why}", kind=self.kind, seq=self.seq, why=self.message)
        return Message("in-file", "{file}: {why}", file=self.path, why=said) if self.path else said


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

    @property
    def summary(self) -> str:
        return Message("in-file", "{file}: {why}", file=self.path, why=self.why) if self.path else self.why


class TrustError(KifuError):
    """Something that shall be believed and cannot be: what is wrong with it.

    `kind` is `commitment` (of a fair deal), `signature`, `record` (of a seat), `roster` or `canonical`; `path` is the
    file, if there is one.
    """

    def __init__(self, kind: str, why: str, path: str | None = None) -> None:
        super().__init__(kind, why, path)
        self.kind = kind
        self.why = why
        self.path = path

    @property
    def summary(self) -> str:
        return Message("in-file", "{file}: {why}", file=self.path, why=self.why) if self.path else self.why


class EngineError(KifuError):
    """An engine that gives no trace: the Python that runs it, and what became of it."""

    def __init__(self, engine: str, why: str) -> None:
        super().__init__(engine, why)
        self.engine = engine
        self.why = why

    @property
    def summary(self) -> str:
        return Message("engine", "engine {engine}: {why}", engine=self.engine, why=self.why)


class StoreError(KifuError):
    """A store that cannot be used or fails: which one, and what happened."""

    def __init__(self, store: str, why: str) -> None:
        super().__init__(store, why)
        self.store = store
        self.why = why

    @property
    def summary(self) -> str:
        return Message("store", "store {store}: {why}", store=self.store, why=self.why)


class NoMatch(KifuError):  # noqa: N818 (says what is missing)
    """A match that a store does not have."""

    def __init__(self, match: str) -> None:
        super().__init__(match)
        self.match = match

    @property
    def summary(self) -> str:
        return Message("no-such-match", "there is no match {match}", match=ascii(self.match[:60]))


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

    @property
    def summary(self) -> str:
        how = Message("other-count", "it has {count} events, not {at}", count=self.count, at=self.at)
        if self.at == self.count:
            how = Message("not-as-it-was", "it is not as it was")
        english = "match {match} was changed meanwhile: {how}; read it again"
        return Message("conflict", english, match=ascii(self.match[:60]), how=how)


class KeyRefused(KifuError):  # noqa: N818 (says what happened)
    """A key that opens no seat of a match, or none where one is needed."""

    def __init__(self, match: str) -> None:
        super().__init__(match)
        self.match = match

    @property
    def summary(self) -> str:
        return Message("key-refused", "this key opens no seat of match {match}", match=ascii(self.match[:60]))


class MissingExtra(KifuError):  # noqa: N818 (says what is missing)
    """A part of kifu whose libraries are not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, extra)
        self.what = what
        self.extra = extra

    @property
    def summary(self) -> str:
        english = "{what} needs an extra: pip install 'kifu[{extra}]'"
        return Message("extra", english, what=self.what, extra=self.extra)
