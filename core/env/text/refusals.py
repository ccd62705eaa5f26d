"""Why an answer is no command: the kind, the rule, and a sentence that says what would have been fine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ...errors import KifuError, Message
from ...game import RuleBook, RuleViolation, TableRule
from ...text.sanitize import plain_value
from ...wire import plain, wire_of
from .listing import Listing
from .prompt import command_form

QUOTED = 60
"""The most letters of an answer that a refusal repeats."""


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


@frozen
class RefusalWriter:
    """Writes why the answer of a seat is refused, and what would have been fine."""

    listing: Listing

    def unread(self, line: str) -> Refused:
        """Refuse a last line that is not a command, "" if there is no line, and say the three forms."""
        example = self.listing.example()
        number, json, words = example.number, example.json, example.words
        if not line:
            english = (
                "the answer is empty; give a number of the list (#{number}), JSON ({json}), or its words ({words})"
            )
            return self._refused("empty", Message("table-empty", english, number=number, json=json, words=words))
        english = (
            "{line} is not a command; give a number of the list (#{number}), JSON ({json}), or the words of the list "
            "as they stand ({words})"
        )
        unread = Message("table-unread", english, line=_cut(line), number=number, json=json, words=words)
        return self._refused("unread", unread)

    def number(self, number: int) -> Refused:
        """Refuse a number that the list has not."""
        last = len(self.listing)
        message = Message("table-number", "the list has no #{number}; it has #1 to #{last}", number=number, last=last)
        return self._refused("number", message, {"number": number, "last": last})

    def tag(self, tag: str) -> Refused:
        """Refuse a tag that the seat has not now."""
        tags = self.listing.tags
        english = "you have no command {tag} now; you have {tags}"
        message = Message("table-tag", english, tag=_cut(tag), tags=", ".join(tags))
        return self._refused("tag", message, {"tags": tags})

    def malformed(self, tag: str, why: str) -> Refused:
        """Refuse the JSON of a command that has not the form of its tag."""
        english = "this is not a whole command (FORM): {why}; its form is {form}"
        reason = why if isinstance(why, Message) else plain_value(why)
        form = command_form(self.listing.game, wire_of(self.listing.game).tags[tag])
        message = Message("table-form", english, why=reason, form=form)
        return self._refused("form", message, {"tag": tag, "field": None}, TableRule.FORM)

    def broken(self, violation: RuleViolation, tag: str | None = None) -> Refused:
        """Refuse a command that breaks a rule, and name one that would be fine, of the same tag if there is one."""
        rule, listing = violation.rule, self.listing
        completed = RuleViolation(rule, listing.seat if violation.seat is None else violation.seat, **violation.facts)
        english = "{what} ({rule}); a legal command is for example {example}"
        message = Message(
            "table-rule",
            english,
            what=listing.texts.refusal(completed, listing.game, listing.names).rstrip(".。"),
            rule=rule.number,
            example=str(listing.example(tag if tag in listing.tags else None)),
        )
        return self._refused("rule", message, {name: plain(each) for name, each in violation.facts.items()}, rule)

    def _refused(
        self, kind: str, why: Message, facts: dict[str, Any] | None = None, rule: RuleBook | None = None
    ) -> Refused:
        return Refused(kind, self.listing.texts.message(why), self.listing.seat, rule, facts)


def _cut(text: str) -> str:
    """Return what a seat wrote, cut and made fit for one line, in quotes."""
    return f'"{plain_value(text[:QUOTED])}"'
