"""Errors of a call, with what to do about them, in the language of the call."""

from __future__ import annotations

import errno
import os
from typing import Any, Self

from ..core.errors import KifuError, LogError, Message
from ..core.text.texts import Texts


class UserMessage(Message):
    """A message of the command line. Its values are texts, so that it can be pickled, or messages themselves."""

    __slots__ = ()

    package = __package__

    def __new__(cls, key: str, english: str, /, **values: Any) -> Self:
        """Format the English text; raises `KeyError` if a value is missing."""
        texts = {name: each if isinstance(each, Message) else str(each) for name, each in values.items()}
        return super().__new__(cls, key, english, **texts)


class CallError(KifuError):
    """A call that cannot be carried out: the message that says what is wrong, and what to do."""

    def __init__(self, key: str, english: str, /, **values: Any) -> None:
        self.message = UserMessage(key, english, **values)
        super().__init__(self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        return _call_error, (type(self), self.message)


def _call_error(kind: type[CallError], message: UserMessage) -> CallError:
    return kind(message.key, message.english, **message.values)


def error_text(error: KifuError, texts: Texts) -> str:
    """Format an error in a language, with what to do about it."""
    return texts.message(_message(error))


def _message(error: KifuError) -> str:
    if isinstance(error, LogError):
        if "--game" in error.message:  # it says what to do
            return Message("in-file", "{file}: {why}", file=error.path, why=error.message)
        return UserMessage("log", "{file}: {why}; {hint}", file=error.path, why=error.message, hint=_hint(error))
    return error.summary


def _is_newer(why: str) -> bool:
    """Return True if a log cannot be read since its format, or its version of the rules, is newer than ours."""
    if not isinstance(why, Message):
        return False
    newest = {"other-format": "known", "other-rules": "last"}.get(why.key)
    if newest is None:
        return any(_is_newer(value) for value in why.values.values())
    return bool(why.values["given"] > why.values[newest])


def _hint(error: LogError) -> UserMessage:
    match error.kind:
        case "file" if error.message.endswith(os.strerror(errno.ENOSPC)):
            return UserMessage("hint-room", "make room, and call again")
        case "file":
            return UserMessage("hint-file", "check the name")
        case "header" if _is_newer(error.message):
            return UserMessage("hint-newer", "install a newer kifu, or a newer version of the game")
        case "header":
            return UserMessage("hint-header", "give a log of this format and an installed game")
    return UserMessage("hint-audit", "replay audit tells more")
