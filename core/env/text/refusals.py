"""Why an answer is no command: the kind, the rule, and a sentence that says what would have been fine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import KifuError
from ...game import RuleBook


class Refused(KifuError):  # noqa: N818 (no error of the program: an answer was refused)
    """An answer that gives no legal command; nothing has changed.

    `kind` is `empty`, `unread`, `number`, `tag`, `form`, `rule` or `turn`; `seat` is who answered; `rule` is the broken
    rule, None where no rule is; `facts` are plain values that the seat may know. Its text is one sentence in the
    language of the table.
    """

    def __init__(
        self,
        kind: str,
        sentence: str,
        seat: int | None = None,
        rule: RuleBook | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(kind, sentence, seat, rule, dict(facts or {}))
        self.kind = kind
        self.sentence = sentence
        self.seat = seat
        self.rule = rule
        self.facts: dict[str, Any] = dict(facts or {})

    @property
    def summary(self) -> str:
        """The sentence."""
        return self.sentence

    @property
    def short(self) -> str:
        """The kind, and the number of the rule if there is one."""
        return f"{self.kind} {self.rule.number}" if self.rule is not None else self.kind
