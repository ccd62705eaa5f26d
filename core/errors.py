"""Every exception that kifu raises: one root, its values as attributes, picklable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self


class Message(str):
    """A translatable sentence: its English text, its key, and its values. Catalogues have it as `message-KEY`.

    `Message("no-seats", "there are {count} seats", count=4)` is the text "there are 4 seats". A value may be a
    `Message` too.
    """

    __slots__ = ("english", "key", "values")

    key: str
    english: str
    values: Mapping[str, Any]

    package: ClassVar[str] = "kifu.core.text"
    """The package whose folder `texts/` translates the message; a game's subclass names the game's own package."""

    def __new__(cls, key: str, english: str, /, **values: Any) -> Self:
        """Format the English text with the values; `english` has a `{name}` for each of them."""
        message = super().__new__(cls, english.format_map(values))
        message.key, message.english, message.values = key, english, values
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        return _message, (type(self), self.key, self.english, self.values)


def _message(kind: type[Message], key: str, english: str, values: Mapping[str, Any]) -> Message:
    return kind(key, english, **values)


OS_MESSAGES = (
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


PACKAGE = Path(__file__).parents[1]


def raised_at(bug: BaseException, through: str = "") -> tuple[str, bool]:
    """Return where an exception was raised, as ` (FILE, line N)`, and whether that is in kifu.

    It is the last line of other code, if kifu called any; what lies above the last call by the package `through`, which
    runs kifu, does not count.
    """
    at, ours, theirs = bug.__traceback__, "", ""
    while at is not None:
        file = Path(at.tb_frame.f_code.co_filename)
        line = f" ({file.name}, line {at.tb_lineno})"
        if through and str(at.tb_frame.f_globals.get("__name__", "")).startswith(through):
            ours = theirs = ""
        elif file.is_relative_to(PACKAGE):
            ours = line
        else:
            theirs = line
        at = at.tb_next
    return theirs or ours, not theirs


def os_error_message(cause: Exception) -> str:
    """Return the text of an error of the operating system or a database; a `Message` if it is in `OS_MESSAGES`."""
    text = getattr(cause, "strerror", None) or (cause.args[0] if len(cause.args) == 1 else cause)
    return text if isinstance(text, Message) else next((each for each in OS_MESSAGES if each == text), str(text))


class KifuError(Exception):
    """The root of all exceptions that kifu raises on purpose.

    A subclass takes positional values alone, so that it pickles as it is.
    """

    @property
    def summary(self) -> str:
        """The whole error as one line: a `Message`, unless the error was raised with a plain text."""
        return self.args[0] if len(self.args) == 1 and isinstance(self.args[0], str) else super().__str__()

    def __str__(self) -> str:
        return str(self.summary)


class OptionError(KifuError):
    """An option that the game does not have, or a value that the option does not take."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(option, why)
        self.option = option
        self.why = why

    @property
    def summary(self) -> str:
        """The option, and what is wrong with it."""
        return Message("option", "option {option}: {why}", option=repr(self.option[:60]), why=self.why)


class MatchError(KifuError):
    """A match that cannot be set up or cannot go on: the number of seats, a seed, an end."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NewerRules(MatchError):  # noqa: N818 (what the log has)
    """A match that goes on under a newer rules version than this program plays."""

    def __init__(self, rules: int, known: int) -> None:
        english = "it goes on under rules version {rules}; this program plays 1 to {known}"
        super().__init__(Message("newer-rules", english, rules=rules, known=known))
        self.rules = rules
        self.known = known

    def __reduce__(self) -> tuple[Any, ...]:
        return NewerRules, (self.rules, self.known)


class MatchFull(MatchError):  # noqa: N818 (as `NoMatch`)
    """A match with as many events as its host takes."""


class KeyReused(MatchError):  # noqa: N818 (says what happened)
    """An idempotency key that was sent with another command before."""


class GameError(KifuError):
    """A game that is not installed, whose definition is inconsistent, or whose code failed."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(game, why)
        self.game = game
        self.why = why

    @property
    def summary(self) -> str:
        """The game's name, and what is wrong."""
        return Message("game", "game {game}: {why}", game=repr(self.game), why=self.why)


class GameMissing(GameError):  # noqa: N818 (says what is missing)
    """A game that is not there: it is not installed, or what is cannot be loaded as this game."""


class GameFailed(GameError):  # noqa: N818 (says what happened)
    """A game whose code failed: it raised an exception that is not kifu's."""


class LogError(KifuError):
    """A log that cannot be used: what is wrong with it, and where.

    - `kind`: a kind of `docs/log-format.md` (`header`, `torn`, `chain`, `form`, `rule`, `digest`, `result`), or `file`
      if the file cannot be read or written at all.
    - `seq`: the number of the event; None if the error is not at an event.
    - `rule`: the number of the broken rule, for kind `rule`.
    - `path`: the file, if there is one.
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
        """The file and the event, as far as they are known, and what is wrong."""
        where = Message("finding", "{kind}: {why}", kind=self.kind, why=self.message)
        if self.seq is not None:
            where = Message("finding-at", "{kind}: event {seq}: {why}", kind=self.kind, seq=self.seq, why=self.message)
        return Message("in-file", "{file}: {why}", file=self.path, why=where) if self.path else where


class BotError(KifuError):
    """A bot that is not installed, whose name is malformed, or that returned no command."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class TraceError(KifuError):
    """A trace that cannot be used: what is wrong with it, and the file, if there is one."""

    def __init__(self, why: str, path: str | None = None) -> None:
        super().__init__(why, path)
        self.why = why
        self.path = path

    @property
    def summary(self) -> str:
        """The file, if there is one, and what is wrong."""
        return Message("in-file", "{file}: {why}", file=self.path, why=self.why) if self.path else self.why


class TrustError(KifuError):
    """Evidence that does not verify: what is wrong with it.

    `kind` is `commitment` (of a fair deal), `signature`, `record` (of a seat), `roster`, `key` or `canonical`. `path`
    is the file, if there is one.
    """

    def __init__(self, kind: str, why: str, path: str | None = None) -> None:
        super().__init__(kind, why, path)
        self.kind = kind
        self.why = why
        self.path = path

    @property
    def summary(self) -> str:
        """The file, if there is one, and what is wrong."""
        return Message("in-file", "{file}: {why}", file=self.path, why=self.why) if self.path else self.why


class EngineError(KifuError):
    """An engine that returns no trace: `engine` is the path of its Python."""

    def __init__(self, engine: str, why: str) -> None:
        super().__init__(engine, why)
        self.engine = engine
        self.why = why

    @property
    def summary(self) -> str:
        """The engine, and what is wrong."""
        return Message("engine", "engine {engine}: {why}", engine=self.engine, why=self.why)


class StoreError(KifuError):
    """A store that cannot be opened or fails: its address, and what happened."""

    def __init__(self, store: str, why: str) -> None:
        super().__init__(store, why)
        self.store = store
        self.why = why

    @property
    def summary(self) -> str:
        """The store's address, and what happened."""
        return Message("store", "store {store}: {why}", store=self.store, why=self.why)


class NoMatch(KifuError):  # noqa: N818 (says what is missing)
    """A match that a store does not have."""

    def __init__(self, match: str) -> None:
        super().__init__(match)
        self.match = match

    @property
    def summary(self) -> str:
        """The id that no match has."""
        return Message("no-such-match", "there is no match {match}", match=ascii(self.match[:60]))


class Conflict(KifuError):  # noqa: N818 (the field's word)
    """A concurrent change: the log of a match has more events than the caller expected, or its metadata changed.

    `expected` and `count` are numbers of events. `meanwhile` has the events since, as the caller's seat saw them.
    `mark` is the mark after `count` events, None for a match without marks.
    """

    def __init__(
        self, match: str, expected: int, count: int, meanwhile: tuple[Any, ...] = (), mark: bytes | None = None
    ) -> None:
        super().__init__(match, expected, count, meanwhile, mark)
        self.match = match
        self.expected = expected
        self.count = count
        self.meanwhile = meanwhile
        self.mark = mark

    @property
    def summary(self) -> str:
        """The match, and how it changed."""
        how = Message("other-count", "it has {count} events, not {expected}", count=self.count, expected=self.expected)
        if self.expected == self.count:
            how = Message("not-as-it-was", "it is not as it was")
        english = "match {match} was changed meanwhile: {how}; read it again"
        return Message("conflict", english, match=ascii(self.match[:60]), how=how)


class Rewound(Conflict):
    """A history that a match does not have: it has fewer events, or others, as after a restored backup."""

    @property
    def summary(self) -> str:
        """The match, and how it differs."""
        english = "match {match} has another history than this, and {count} events: begin anew from the first"
        return Message("rewound", english, match=ascii(self.match[:60]), count=self.count)


class KeyRefused(KifuError):  # noqa: N818 (says what happened)
    """A key that opens no seat of a match, or no key where one is needed."""

    def __init__(self, match: str) -> None:
        super().__init__(match)
        self.match = match

    @property
    def summary(self) -> str:
        """The match whose seats stay closed."""
        return Message("key-refused", "this key opens no seat of match {match}", match=ascii(self.match[:60]))


class MissingExtra(KifuError):  # noqa: N818 (says what is missing)
    """A part of kifu whose libraries are not installed, and the extra that installs them."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(what, extra)
        self.what = what
        self.extra = extra

    @property
    def summary(self) -> str:
        """The missing part, and the command that installs it."""
        english = "{what} needs an extra: pip install 'kifu[{extra}]'"
        return Message("extra", english, what=self.what, extra=self.extra)


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Raise `MissingExtra` where an import in the block fails."""
    try:
        yield
    except ImportError as cause:
        raise MissingExtra(what, extra) from cause
