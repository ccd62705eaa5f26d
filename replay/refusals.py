"""What is wrong with a call, and what to do: said in the language of the call."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from ..core.errors import KifuError, LogError, Why
from ..core.texts import Line, Texts


@frozen
class Phrase:
    """The message `refusal-KEY` of our catalogues and its values, which may be phrases themselves, or a `Why`."""

    key: str
    values: Mapping[str, Any] = field(factory=dict)

    @classmethod
    def of(cls, key: str, /, **values: Any) -> Phrase:
        """Make a phrase of values that pickle, whatever was given."""
        return cls(key, {name: each if isinstance(each, Phrase | Why) else str(each) for name, each in values.items()})

    def __str__(self) -> str:
        return self.said(Texts("en", __package__))

    def said(self, words: Texts) -> str:
        return words.say(f"refusal-{self.key}", **{name: Line(said(each, words)) for name, each in self.values.items()})


class Unusable(KifuError):  # noqa: N818 (says what is wrong with the call)
    """A call that cannot be carried out: the phrase that says what is wrong, and what to do."""

    def __init__(self, key: str, /, **values: Any) -> None:
        self.phrase = Phrase.of(key, **values)
        super().__init__(self.phrase)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unusable, (type(self), self.phrase.key, self.phrase.values)

    @property
    def told(self) -> str:
        return str(self.phrase)


def _unusable(kind: type[Unusable], key: str, values: Mapping[str, Any]) -> Unusable:
    return kind(key, **values)


Reason = Phrase | str
"""Why something was left out: a phrase of ours, or what an error of core or a game tells, which may be a `Why`."""


def reason_of(error: KifuError) -> Reason:
    return error.phrase if isinstance(error, Unusable) else error.told


def said(reason: Reason, words: Texts) -> str:
    return reason.said(words) if isinstance(reason, Phrase) else words.why(reason)


def say(error: KifuError, words: Texts) -> str:
    """Say what was raised, and what to do about it."""
    return said(_advice(error), words)


def _advice(error: KifuError) -> Reason:
    if isinstance(error, LogError):
        return Phrase.of("log", file=error.path, why=error.message, hint=_hint(error))
    return reason_of(error)


def _hint(error: LogError) -> Phrase:
    match error.kind:
        case "file" if error.message.endswith(os.strerror(errno.ENOSPC)):
            return Phrase.of("hint-room")
        case "file":
            return Phrase.of("hint-file")
        case "header":
            return Phrase.of("hint-header")
    return Phrase.of("hint-audit")
