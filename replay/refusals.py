"""What is wrong with a call, and what to do: said in the language of the call."""

from __future__ import annotations

import errno
import os
from typing import Any, Self

from ..core.errors import KifuError, LogError, Why
from ..core.texts import Texts


class Phrase(Why):
    """A message of the command line; its values are texts, so that it can be pickled, or messages themselves."""

    __slots__ = ()

    room = __package__

    def __new__(cls, key: str, english: str, /, **values: Any) -> Self:
        """Format the English text; raises `KeyError` if a value is missing."""
        texts = {name: each if isinstance(each, Why) else str(each) for name, each in values.items()}
        return super().__new__(cls, key, english, **texts)


class Unusable(KifuError):  # noqa: N818 (says what is wrong with the call)
    """A call that cannot be carried out: the message that says what is wrong, and what to do."""

    def __init__(self, key: str, english: str, /, **values: Any) -> None:
        self.phrase = Phrase(key, english, **values)
        super().__init__(self.phrase)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unusable, (type(self), self.phrase)


def _unusable(kind: type[Unusable], phrase: Phrase) -> Unusable:
    return kind(phrase.key, phrase.english, **phrase.values)


def say(error: KifuError, words: Texts) -> str:
    """Say what was raised, and what to do about it."""
    return words.why(_advice(error))


def _advice(error: KifuError) -> str:
    if isinstance(error, LogError):
        return Phrase("log", "{file}: {why}; {hint}", file=error.path, why=error.message, hint=_hint(error))
    return error.told


def _hint(error: LogError) -> Phrase:
    match error.kind:
        case "file" if error.message.endswith(os.strerror(errno.ENOSPC)):
            return Phrase("hint-room", "make room, and call again")
        case "file":
            return Phrase("hint-file", "check the name")
        case "header":
            return Phrase("hint-header", "give a log of this format and an installed game")
    return Phrase("hint-audit", "replay audit tells more")
