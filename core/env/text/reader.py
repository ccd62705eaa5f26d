"""From an answer to a command of a seat, or to a refusal that says what would have been fine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
from attrs import frozen

from ...errors import Message
from ...game import AnyGame, RuleBook, RuleViolation, Seat, TableRule
from ...text.plain_text import plain_value
from ...text.texts import Names, Texts
from ...wire import plain, wire_of
from .answers import (
    FieldReader,
    UnreadValue,
    faces_of,
    folded,
    has_in_order,
    json_in,
    last_line,
    mentions,
    number_in,
    numbers_in,
    split_json,
    words_of,
)
from .listing import LISTED, ListedCommand, Listing
from .prompt import command_form, field_text
from .refusals import Refused

MAX_DIGITS = 6
MAX_MEANT = 4
"""The most commands that a refusal names because an answer could be each of them."""

QUOTED = 60
"""The most letters of an answer that a refusal repeats."""


@frozen
class AnswerReader:
    """Reads the answers of one seat that is asked to act in this state; changes nothing."""

    game: AnyGame
    state: Any
    seat: Seat
    listing: Listing
    texts: Texts
    names: Names

    def read(self, answer: Any) -> Any:
        """Return the command that an answer gives; raises `Refused`."""
        line = last_line(answer) if isinstance(answer, str) else ""
        if not line:
            raise self._empty()
        numbered = number_in(line)
        if numbered is not None:
            return self._by_number(*numbered, line)
        value = json_in(line)
        if value is not None:
            return self._judged(self._of_json(value))
        command = self._by_words(line)
        if command is None:
            command = self._by_bare_number(line)
        return self._of_tag_or_part(line) if command is None else command

    def _of_tag_or_part(self, line: str) -> Any:
        """Return the command of a tag and values, or the only one that has these words among its own."""
        try:
            command = self._judged(self._of_tag(line))
        except Refused:
            parts = self._with_part(line)
            if len(parts) == 1:
                return parts[0].command
            named = parts if 1 < len(parts) <= MAX_MEANT else self._mentioned(line)
            if len(named) > 1:
                raise self._ambiguous(line, named) from None
            raise
        parts = self._with_part(line) if len(self.listing) <= LISTED else []
        if len(parts) == 1 and parts[0].command != command and command in self.listing.commands:
            numbers = {self.listing.commands.index(command) + 1, parts[0].number}
            raise self._ambiguous(line, [self.listing.at(number) for number in sorted(numbers)])
        return command

    def _mentioned(self, line: str) -> list[ListedCommand]:
        """List the commands that a line names, each by its number or in all its words, among whatever else."""
        numbers = numbers_in(line)
        return [each for each in self.listing.all if each.number in numbers or mentions(line, each.words)]

    def _by_bare_number(self, line: str) -> Any:
        """Return the one command that a number alone names: by its number in the list, or among its words."""
        if not (line.isascii() and line.isdigit() and len(line) <= MAX_DIGITS):
            return None
        meant = {each.number: each for each in self._with_part(line)}
        if 1 <= int(line) <= len(self.listing):
            meant[int(line)] = self.listing.at(int(line))
        if len(meant) > 1:
            raise self._ambiguous(line, [meant[number] for number in sorted(meant)])
        return next((each.command for each in meant.values()), None)

    def _by_number(self, number: int, rest: str, line: str) -> Any:
        """Return the command of a number; what stands behind it may only be its words and its JSON."""
        last = len(self.listing)
        if 1 <= number <= last:
            if rest and not self._repeats(self.listing.at(number), rest):
                repeated = [each for each in self.listing.all if self._repeats(each, rest)]
                others = repeated or [each for each in self._mentioned(line) if each.number != number]
                raise self._ambiguous(line, [self.listing.at(number), *others]) if others else self._unread(line)
            return self.listing.commands[number - 1]
        english = "the list has no #{number}; it has #1 to #{last}"
        message = Message("table-number", english, number=number, last=last)
        raise self._refused("number", message, {"number": number, "last": last})

    @staticmethod
    def _repeats(named: ListedCommand, rest: str) -> bool:
        """Return True if words repeat a command of the list: its words, its JSON, or both."""
        whole = str(named).partition(" ")[2]
        return folded(rest) in (folded(named.words), folded(named.json), folded(whole))

    def _by_words(self, line: str) -> Any:
        """Find the one command of these words; None if there is none, or several."""
        text = folded(line)
        found = [each.command for each in self.listing.all if folded(each.words) == text]
        return found[0] if len(found) == 1 else None

    def _with_part(self, line: str) -> list[ListedCommand]:
        """List the commands that have these words among their own, in this order.

        Where more may be legal than is listed, none: one in the list need not be the one that is meant. Where there is
        one command alone, its cards are enough, but no other words of it.
        """
        some = words_of(line)
        if self.listing.open_ended or not some:
            return []
        if len(self.listing) == 1 and not self.faces().keys() >= set(some):
            return []
        return [each for each in self.listing.all if has_in_order(words_of(each.words), some)]

    def _of_json(self, value: dict[str, Any]) -> Any:
        tag, fields = split_json(value, self.game)
        named = tag if isinstance(tag, str) else ""
        self._check_tag(named)
        if isinstance(fields, dict):
            reader, kind = FieldReader(self.faces()), attrs.resolve_types(wire_of(self.game).tags[named])
            kinds = {field.name: field.type for field in attrs.fields(kind)}
            fields = {name: reader.cards_of(kinds.get(name), each) for name, each in fields.items()}
        return self._decoded(named, fields)

    def _of_tag(self, line: str) -> Any:
        first, _, values = line.partition(" ")
        named = first.removesuffix(":").removesuffix("\uff1a").casefold()
        tag = next((each for each in self.game.wire.values() if each.casefold() == named), None)
        if tag is None:
            raise self._unread(line)
        self._check_tag(tag)
        try:
            fields = FieldReader(self.faces()).read(wire_of(self.game).tags[tag], values)
        except UnreadValue as unread:
            why = Message("table-value", "field {field} has no fitting value", field=unread.field or "-")
            raise self._malformed(tag, why, unread.field) from None
        return self._decoded(tag, fields)

    def _decoded(self, tag: str, fields: Any) -> Any:
        try:
            return wire_of(self.game).decode(tag, fields)
        except RuleViolation as violation:
            raise self._malformed(tag, violation.facts.get("why", "")) from None

    def _check_tag(self, tag: str) -> None:
        tags = self.listing.tags
        if tag in tags or (tag in self.game.wire.values() and self.game.open_ended(self.state, self.seat)):
            return
        english = "{seat} has no command {tag} now; it has {tags}"
        message = Message("table-tag", english, seat=self._called(), tag=_cut(tag), tags=", ".join(tags))
        raise self._refused("tag", message, {"tags": tags})

    def _judged(self, command: Any) -> Any:
        """Return the command as the list has it, or as the rules accept it; raises `Refused` by the rule it breaks."""
        for each in self.listing.commands:
            if each == command and type(each) is type(command):
                return each
        try:
            self.game.apply(self.state, self.seat, command)
        except RuleViolation as violation:
            sorted_command = _in_order(command)
            if violation.rule is TableRule.FORM and sorted_command in self.listing.commands:
                return sorted_command
            raise self.broken(violation) from None
        except Exception:  # a stranger's rules may raise anything when they are asked about a stranger's command
            why = Message("table-unjudged", "the rules cannot judge it")
            raise self._malformed(wire_of(self.game).tag(command), why) from None
        return command

    # What would have been fine.

    def _empty(self) -> Refused:
        english = "the answer has no last line; legal now is for example #{number}, or {json}"
        example = self._example()
        return self._refused("empty", Message("table-empty", english, number=example.number, json=example.json))

    def _unread(self, line: str) -> Refused:
        example = self._example()
        english = (
            "no command was read in {line}; it may be a number (#{number}), JSON ({json}), words of the list "
            "({words}), or a tag and its values"
        )
        return self._refused(
            "unread",
            Message(
                "table-unread",
                english,
                line=_cut(line),
                number=example.number,
                json=example.json,
                words=example.words,
            ),
        )

    def _ambiguous(self, line: str, meant: Sequence[ListedCommand]) -> Refused:
        shown = "; ".join(f"#{each.number} {each.words}" for each in meant[:MAX_MEANT])
        english = "{line} could be each of these: {commands}; say which, by its number or in all its words"
        commands = shown + ("; …" if len(meant) > MAX_MEANT else "")
        facts = {"numbers": [each.number for each in meant]}
        return self._refused("unread", Message("table-ambiguous", english, line=_cut(line), commands=commands), facts)

    def _malformed(self, tag: str, why: str, field: str | None = None) -> Refused:
        english = "{seat} gave a malformed command (FORM): {why}; its form is {form}"
        reason = why if isinstance(why, Message) else plain_value(why)
        form = command_form(self.game, wire_of(self.game).tags[tag])
        meaning = {"meaning": field_text(self.texts, self.game, tag, field)} if field else {}
        message = Message("table-form", english, seat=self._called(), why=reason, form=form)
        return self._refused("form", message, {"tag": tag, "field": field, **meaning}, TableRule.FORM)

    def broken(self, violation: RuleViolation) -> Refused:
        """Return the refusal of a command that breaks a rule, with one that would have been fine."""
        rule = violation.rule
        completed = RuleViolation(rule, self.seat if violation.seat is None else violation.seat, **violation.facts)
        english = "{what} ({rule}: {sentence}); legal now is for example {example}"
        message = Message(
            "table-rule",
            english,
            what=self.texts.violation(completed, self.game, self.names),
            rule=rule.number,
            sentence=self.texts.rule(rule, self.game).rstrip(".。"),
            example=str(self._example()),
        )
        return self._refused("rule", message, {name: plain(each) for name, each in violation.facts.items()}, rule)

    def _refused(
        self, kind: str, why: Message, facts: dict[str, Any] | None = None, rule: RuleBook | None = None
    ) -> Refused:
        return Refused(kind, self.texts.message(why), self.seat, rule, facts)

    def _example(self) -> ListedCommand:
        return self.listing.example()

    def _called(self) -> str:
        return self.texts.seat(self.seat, self.names)

    def faces(self) -> dict[str, set[Any]]:
        """Map the text of each face of the game's cards to the cards that have it."""
        return faces_of(self.game, iter(self.game.cards(self.state)))


def _in_order(command: Any) -> Any:
    """Return a command with each list of cards ascending: a seat may name them in any order."""
    return attrs.evolve(
        command, **{name: _sorted(value) for name, value in attrs.asdict(command, recurse=False).items()}
    )


def _sorted(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    return tuple(sorted(value)) if all(isinstance(each, int) for each in value) else tuple(map(_sorted, value))


def _cut(text: str) -> str:
    """Return what a seat wrote, cut and made fit for one line, in quotes."""
    return f'"{plain_value(text[:QUOTED])}"'
