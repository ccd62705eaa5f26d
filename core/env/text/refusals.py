"""Why an answer is no command: the kind, the rule, and a sentence that says what would have been fine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from ...errors import KifuError, Message
from ...game import AnyGame, RuleBook, RuleViolation, Seat, TableRule
from ...text.plain_text import plain_value
from ...text.texts import Names, Texts
from ...wire import plain, wire_of
from .listed import ListedCommand
from .listing import Listing
from .prompt import command_form, field_text

MAX_MEANT = 4
"""The most commands that a refusal names because an answer could be each of them."""

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

    game: AnyGame
    seat: Seat
    listing: Listing
    texts: Texts
    names: Names

    def empty(self) -> Refused:
        """Refuse an answer without a last line."""
        english = "the answer has no last line; legal now is for example #{number}, or {json}"
        example = self.listing.example()
        return self._refused("empty", Message("table-empty", english, number=example.number, json=example.json))

    def unread(self, line: str) -> Refused:
        """Refuse a line in which no command is; the one that is closest to it is named."""
        closest = self.listing.closest(line)
        if closest is not None:
            english = (
                "no command was read in {line}; did you mean #{number} {words}? The last line holds the command and "
                "no other word"
            )
            meant = Message("table-meant", english, line=_cut(line), number=closest.number, words=closest.words)
            return self._refused("unread", meant)
        example = self.listing.example()
        if self.listing.open_ended:
            english = (
                "no command was read in {line}; where more is legal than is listed, no part of its words is enough: "
                "give its JSON ({json}), or its tag and values"
            )
            return self._refused("unread", Message("table-unread-open", english, line=_cut(line), json=example.json))
        number, json, words = example.number, example.json, example.words
        english = (
            "no command was read in {line}; it may be a number (#{number}), JSON ({json}), words of the list "
            "({words}), or a tag and its values"
        )
        unread = Message("table-unread", english, line=_cut(line), number=number, json=json, words=words)
        return self._refused("unread", unread)

    def question(self, line: str) -> Refused:
        """Refuse a question: who asks has not chosen."""
        english = "{line} asks, and plays nothing; end with the command, and without a question mark"
        return self._refused("unread", Message("table-asks", english, line=_cut(line)))

    def untagged(self) -> Refused:
        """Refuse an object of JSON that says not which command it is."""
        tags = self.listing.tags
        english = 'the JSON has no "tag", which names the command: {tags}; for example {json}'
        example = self.listing.example().json
        message = Message("table-untagged", english, tags=", ".join(tags), json=example)
        return self._refused("tag", message, {"tags": tags})

    def number(self, number: int) -> Refused:
        """Refuse a number that the list has not."""
        last = len(self.listing)
        message = Message("table-number", "the list has no #{number}; it has #1 to #{last}", number=number, last=last)
        return self._refused("number", message, {"number": number, "last": last})

    def ambiguous(self, line: str, meant: Sequence[ListedCommand]) -> Refused:
        """Refuse a line that could be each of these commands."""
        shown = "; ".join(f"#{each.number} {each.words}" for each in meant[:MAX_MEANT])
        english = "{line} could be each of these: {commands}; say which, by its number or in all its words"
        commands = shown + ("; …" if len(meant) > MAX_MEANT else "")
        facts = {"numbers": [each.number for each in meant]}
        return self._refused("unread", Message("table-ambiguous", english, line=_cut(line), commands=commands), facts)

    def tag(self, tag: str) -> Refused:
        """Refuse a tag that the seat has not now."""
        tags = self.listing.tags
        english = "you have no command {tag} now; you have {tags}"
        message = Message("table-tag", english, tag=_cut(tag), tags=", ".join(tags))
        return self._refused("tag", message, {"tags": tags})

    def malformed(self, tag: str, why: str) -> Refused:
        """Refuse the JSON of a command that has not the form of its tag."""
        english = "this is no whole command (FORM): {why}; its form is {form}"
        reason = why if isinstance(why, Message) else plain_value(why)
        form = command_form(self.game, wire_of(self.game).tags[tag])
        message = Message("table-form", english, why=reason, form=form)
        return self._refused("form", message, {"tag": tag, "field": None}, TableRule.FORM)

    def unread_value(self, tag: str, field: str, line: str) -> Refused:
        """Refuse a line whose words behind a tag do not give its fields; `field` is "" if it has none."""
        closest = self.listing.closest(line, tag) or self.listing.example(tag if tag in self.listing.tags else None)
        facts = {"tag": tag, "field": field or None}
        if not field:
            english = "{tag} takes nothing after it (FORM): write {words}"
            message = Message("table-no-field", english, tag=tag, words=closest.words)
            return self._refused("form", message, facts, TableRule.FORM)
        english = "{field} could not be read in {line} (FORM); write for example {words}"
        message = Message("table-value", english, field=field, line=_cut(line), words=closest.words)
        facts["meaning"] = field_text(self.texts, self.game, tag, field)
        return self._refused("form", message, facts, TableRule.FORM)

    def unlisted(self, tag: str, texts: Sequence[str]) -> Refused:
        """Refuse a command whose texts are in no legal command of its tag."""
        english = "none of your legal {tag} commands has {texts}; legal now is for example {example}"
        said, example = " ".join(map(_cut, texts)), str(self.listing.example(tag))
        message = Message("table-unlisted", english, tag=tag, texts=said, example=example)
        return self._refused("form", message, {"tag": tag, "field": None}, TableRule.FORM)

    def broken(self, violation: RuleViolation, tag: str | None = None) -> Refused:
        """Refuse a command that breaks a rule, and name one that would be fine, of the same tag if there is one."""
        rule = violation.rule
        completed = RuleViolation(rule, self.seat if violation.seat is None else violation.seat, **violation.facts)
        english = "{what} ({rule}); legal now is for example {example}"
        message = Message(
            "table-rule",
            english,
            what=self.texts.refusal(completed, self.game, self.names).rstrip(".。"),
            rule=rule.number,
            example=str(self.listing.example(tag if tag in self.listing.tags else None)),
        )
        return self._refused("rule", message, {name: plain(each) for name, each in violation.facts.items()}, rule)

    def _refused(
        self, kind: str, why: Message, facts: dict[str, Any] | None = None, rule: RuleBook | None = None
    ) -> Refused:
        return Refused(kind, self.texts.message(why), self.seat, rule, facts)


def _cut(text: str) -> str:
    """Return what a seat wrote, cut and made fit for one line, in quotes."""
    return f'"{plain_value(text[:QUOTED])}"'
