"""What is wrong with a call, and what to do: said in the language of the call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from ..core.errors import KifuError
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
    """Say what was raised; what core raises says itself, in English."""
    return error.said(words) if isinstance(error, Unusable) else str(error)
