"""What is wrong with a call, and what to do: said in the language of the call."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from ..core.errors import EngineError, GameError, KifuError, LogError, MissingExtra, OptionError
from ..core.texts import Line, Texts


@frozen
class Phrase:
    """The message `refusal-KEY` of our catalogues and its values, which may be phrases themselves."""

    key: str
    values: Mapping[str, Any] = field(factory=dict)

    @classmethod
    def of(cls, key: str, /, **values: Any) -> Phrase:
        """Make a phrase of values that pickle, whatever was given."""
        return cls(key, {name: each if isinstance(each, Phrase) else str(each) for name, each in values.items()})

    def said(self, words: Texts) -> str:
        values = {name: each.said(words) if isinstance(each, Phrase) else each for name, each in self.values.items()}
        return words.say(f"refusal-{self.key}", **{name: Line(each) for name, each in values.items()})


class Unusable(KifuError):  # noqa: N818 (says what is wrong with the call)
    """A call that cannot be carried out: the phrase that says what is wrong, and what to do."""

    def __init__(self, key: str, /, **values: Any) -> None:
        self.phrase = Phrase.of(key, **values)
        super().__init__(self.phrase)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unusable, (type(self), self.phrase.key, self.phrase.values)

    def __str__(self) -> str:
        return self.said(Texts("en", __package__))

    def said(self, words: Texts) -> str:
        return self.phrase.said(words)


def _unusable(kind: type[Unusable], key: str, values: Mapping[str, Any]) -> Unusable:
    return kind(key, **values)


def say(error: KifuError, words: Texts) -> str:
    """Say what was raised; the particulars that core and the games tell stay English."""
    return _phrase(error).said(words)


def _phrase(error: KifuError) -> Phrase:
    match error:
        case Unusable():
            return error.phrase
        case LogError():
            return Phrase.of("log", file=error.path, why=_of_log(error), hint=_hint(error))
        case OptionError():
            return Phrase.of("option", option=ascii(error.option[:60]), why=error.why)
        case GameError():
            return Phrase.of("game", game=repr(error.game), why=error.why)
        case EngineError():
            return Phrase.of("engine", engine=error.engine, why=error.why)
        case MissingExtra():
            return Phrase.of("extra", what=error.what, extra=error.extra)
    return Phrase.of("other", why=error)


def _of_log(error: LogError) -> Phrase | str:
    what, _, why = error.message.partition(": ")
    match what:
        case "cannot be read":
            return Phrase.of("unreadable", why=of_system(why))
        case "cannot be written":
            return Phrase.of("unwritable", why=of_system(why))
        case "cannot be made a folder":
            return Phrase.of("no-folder", why=of_system(why))
        case "this is no log" if why == "it does not begin with a header":
            return Phrase.of("no-header")
    return error.message


def _hint(error: LogError) -> Phrase:
    match error.kind:
        case "file" if error.message.endswith(os.strerror(errno.ENOSPC)):
            return Phrase.of("hint-room")
        case "file":
            return Phrase.of("hint-file")
        case "header":
            return Phrase.of("hint-header")
    return Phrase.of("hint-audit")


def of_system(why: str) -> Phrase | str:
    """Find the phrase for what the operating system often says of a file."""
    if why == os.strerror(errno.ENOENT):
        return Phrase.of("not-there")
    if why == os.strerror(errno.EACCES):
        return Phrase.of("not-allowed")
    if why == os.strerror(errno.EISDIR):
        return Phrase.of("a-folder")
    if why == os.strerror(errno.ENOSPC):
        return Phrase.of("no-room")
    if why == os.strerror(errno.EEXIST):
        return Phrase.of("there-already")
    return why
