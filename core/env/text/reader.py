"""From an answer to a command of a seat, or to a refusal that says what would have been fine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

import attrs
from attrs import frozen

from ...errors import Message
from ...game import AnyGame, RuleViolation, Seat, TableRule
from ...text.texts import Names, Texts
from ...wire import wire_of
from .answers import (
    FieldReader,
    UnreadValue,
    answer_within,
    cleaned,
    folded,
    in_order,
    is_in_other_case,
    is_nested,
    is_question,
    item_in,
    json_in,
    last_line,
    looks_like_json,
    number_in,
    numbers_in,
    split_json,
    without_marks,
)
from .japanese import is_japanese, number_chosen, pieces
from .listing import LISTED, ListedCommand, Listing
from .refusals import MAX_MEANT, RefusalWriter, Refused
from .wording import Wording, readings, undressed

MAX_DIGITS = 6
_TAG_AND_JSON = re.compile(r"(\w{1,40})\s*(?:[:\uff1a]\s*)?(\{.*\})[.。]?")
_NEXT_LIST = re.compile(r"\]\s*(?:,\s*)?\[")
"""What stands between two lists of a list, as in `[R] [B]`."""
_NUMBER_WITHIN = re.compile(r"(.*[^\s#])\s*#([0-9]{1,6})\s+(.*)")
_LAST_NUMBER = re.compile(r"(.*?)[(\[<]?#\s?([0-9]{1,6})[\s.。)\]>!*_`]*")


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
        line = answer_within(undressed(last_line(answer)), self._forms) if isinstance(answer, str) else ""
        if not looks_like_json(line):
            line = _NEXT_LIST.sub("] | [", undressed(cleaned(line)))
        if not line:
            raise self._refusals.empty()
        if is_question(line) and folded(line) not in self.listing.by_words:
            raise self._refusals.question(line)
        refused = list[Refused]()
        for each in readings(line, self._wording):
            try:
                return self._of_line(each)
            except Refused as why:
                refused.append(why)
                if _is_decided(why):
                    raise
        return self._of_loose_line(line, refused)

    @property
    def _wording(self) -> Wording:
        return self.listing.wording

    @property
    def _forms(self) -> dict[str, set[str]]:
        """The names of the fields of each command, by its tag."""
        return {tag: {field.name for field in attrs.fields(kind)} for kind, tag in self.game.wire.items()}

    @cached_property
    def _refusals(self) -> RefusalWriter:
        return RefusalWriter(self.game, self.seat, self.listing, self.texts, self.names)

    def _of_line(self, line: str) -> Any:
        """Return the command that a line is, and is nothing else; raises `Refused`."""
        value = json_in(line)
        if value is not None:
            return self._judged(self._of_json(value))
        behind_tag = self._of_json_behind_tag(line)
        if behind_tag is not None:
            return self._judged(behind_tag)
        numbered = number_in(line)
        if numbered is not None:
            return self._by_number(*numbered, line)
        item = item_in(line)
        if item is not None and 1 <= item[0] <= len(self.listing):  # `1. draw`
            named = [each for each in self.listing.all if each.is_repeated_by(item[1])]
            if self.listing.at(item[0]) in named:
                return self.listing.commands[item[0] - 1]
            if named:
                raise self._refusals.ambiguous(line, [self.listing.at(item[0]), *named])
        command = self._by_words(line)
        if command is None:
            command = self._by_bare_number(line)
        return self._of_tag_or_part(line) if command is None else command

    def _of_tag_or_part(self, line: str) -> Any:
        """Return the command of a tag and values, or the only one that has these words among its own."""
        try:
            command = self._judged(self._of_tag(line))
        except Refused as refused:
            if _is_decided(refused):
                raise
            parts = self._with_part(line) or self._behind_tag(line)
            if len(parts) == 1:
                return parts[0].command
            parts = parts or self._with_values(line)
            if 1 < len(parts) <= MAX_MEANT:
                raise self._refusals.ambiguous(line, parts) from None
            raise
        parts = self._with_part(line) if len(self.listing) <= LISTED else []
        if len(parts) == 1 and parts[0].command != command and command in self.listing.commands:
            numbers = {self.listing.commands.index(command) + 1, parts[0].number}
            raise self._refusals.ambiguous(line, [self.listing.at(number) for number in sorted(numbers)])
        return command

    def _behind_tag(self, line: str) -> list[ListedCommand]:
        """List the commands of the tag that a line begins with, whose words stand behind it: `settle keep both`."""
        tag, values = self._parted(line)
        return [each for each in self._with_part(values) if wire_of(self.game).tag(each.command) == tag] if tag else []

    def _with_values(self, line: str) -> list[ListedCommand]:
        """List the commands of a line's tag whose cards and numbers are all in it, beside those of others."""
        tag, values = self._parted(line)
        if tag is None or self.listing.open_ended:
            return []
        wording, said = self._wording, Counter(self._wording.values(self._wording.tokens(self._wording.spoken(values))))
        pairs = zip(self.listing.all, self.listing.tokens, strict=True)
        own = [(each, wording.values(tokens)) for each, tokens in pairs if wire_of(self.game).tag(each.command) == tag]
        within = [(each, len(has)) for each, has in own if has and Counter(has) <= said and "#" not in line]
        return [each for each, count in within if count == max(count for _, count in within)]

    def _of_loose_line(self, line: str, refused: Sequence[Refused]) -> Any:
        """Return the command of the one number at the end of a line, or the only legal one if it speaks of no other."""
        if looks_like_json(line):
            raise refused[0]
        found = _LAST_NUMBER.fullmatch(line)
        if found is not None and len(numbers_in(line)) == 1:
            return self._by_number_after(found[1], int(found[2]), line)
        within = _NUMBER_WITHIN.fullmatch(line)
        if within is not None and len(numbers_in(line)) == 1 and 1 <= int(within[2]) <= len(self.listing):
            shared = self.listing.at(int(within[2]))  # as a line of the list that several share
            if folded(f"{within[1]} {within[3]}") == folded(shared.words):
                return shared.command
        if len(self.listing) == 1 and self._is_of_the_only(line):
            return self.listing.commands[0]
        japanese = self._by_japanese(line) if is_japanese(line) else None
        if japanese is not None:
            return japanese
        named = self._mentioned(line)
        if not named and len(self.listing.tags) == 1:
            each_said = self._with_values(f"{self.listing.tags[0]} {line}")
            named = each_said if len(each_said) <= MAX_MEANT else named
        if len(named) > 1:
            raise self._refusals.ambiguous(line, named)
        if len(self.listing.tags) == 1 and not self.listing.open_ended:
            for each in readings(line, self._wording):
                tokens = self._wording.tokens(each)
                if tokens and self._wording.values(tokens) == tokens:  # values alone: of the one command that there is
                    return self._judged(self._of_tag(f"{self.listing.tags[0]} {self._wording.spoken(each)}"))
        for each in readings(line, self._wording) if self.listing.is_cut else ():
            found = self.listing.called(each)
            if found is not None:
                return found
        raise next((each for each in refused if each.kind != "unread"), refused[0])

    def _by_japanese(self, line: str) -> Any:
        """Return the command that a line of Japanese names by its number or its words; None if it names none."""
        chosen, words = number_chosen(line), self.listing.japanese
        if chosen is not None and 1 <= chosen[0] <= len(words) and chosen[1] <= words[chosen[0] - 1].called:
            return self.listing.commands[chosen[0] - 1]
        said = pieces(self._wording.spoken(line))
        for own in (True, False) if said else ():
            found = self.listing.named_in_japanese(said, own=own)
            if len(found) == 1:
                return found[0].command
            if 1 < len(found) <= MAX_MEANT:
                raise self._refusals.ambiguous(line, found)
        return None

    def _by_number_after(self, lead: str, number: int, line: str) -> Any:
        """Return the command of a number, if what stands before it says that it is chosen, or is the command itself."""
        command = self._by_number(number, "", line)
        other = self._command_of(line.replace("#", ""))
        if other is not None and other != command:  # `open pile #3`: pile 3, or #3 of the list
            meant = [self.listing.at(number), *(each for each in self.listing.all if each.command == other)]
            raise self._refusals.ambiguous(line, meant)
        if self._wording.is_choice(lead, wire_of(self.game).tag(command), self.listing.tags):
            return command
        if self._is_of(lead, self.listing.tokens[number - 1]):
            return command
        for each in readings(lead.strip(" ([<-\u2013\u2014:,"), self._wording):
            try:
                other = self._of_line(each)
            except Refused as refused:
                if _is_decided(refused):
                    raise
                continue
            if other == command:
                return command
            meant = [self.listing.at(number), *(each for each in self.listing.all if each.command == other)]
            raise self._refusals.ambiguous(line, meant)
        raise self._refusals.unread(line)

    def _is_of(self, words: str, tokens: Sequence[str]) -> bool:
        """Return True if words are some of a command's, with a number or card, and deny nothing."""
        some = self._wording.tokens(words)
        has_value = bool(self._wording.values(some)) and not self._wording.denies(words)
        return has_value and self._wording.is_part(some, tokens)

    def _command_of(self, words: str) -> Any:
        """Return the command that words are; None if they are none, or could be several."""
        for each in readings(words, self._wording):
            with suppress(Refused):
                return self._of_line(each)
        return None

    def _is_of_the_only(self, line: str) -> bool:
        """Return True if a line speaks of the only legal command: of something of it, and of nothing else."""
        if self.listing.open_ended:
            return False
        wording, words = self._wording, self.listing.tokens[0]
        tag, said = wire_of(self.game).tag(self.listing.commands[0]), wording.tokens(wording.spoken(line))
        own = {*words, *wording.commands[tag.casefold()]}
        others = [each for each in said if each not in own]
        is_denied = wording.denies(" ".join(others))
        values = [each for each in wording.values(others) if not any(wording.is_in(each, other) for other in own)]
        numbers = set(re.findall("[0-9]+", " ".join(others))).difference(*(re.findall("[0-9]+", each) for each in own))
        if is_denied or values or numbers or wording.names_command(others, tag):
            return False
        if wording.denies(" ".join(said)):
            return True  # it says no where the command does
        denied = {each for at, each in enumerate(words) if any(map(wording.denies, words[at : at + 2]))}
        return any(wording.is_in(each, other) for each in said for other in own - denied)

    def _mentioned(self, line: str) -> list[ListedCommand]:
        """List the commands that a line names, each by its number or in all its words, among whatever else."""
        numbers, said = numbers_in(line), f" {without_marks(line)} "
        return [each for each in self.listing.all if each.number in numbers or f" {folded(each.words)} " in said]

    def _by_bare_number(self, line: str) -> Any:
        """Return the one command that a number alone names: by its number in the list, or among its words."""
        if not (line.isascii() and line.isdigit() and len(line) <= MAX_DIGITS):
            return None
        meant = {each.number: each for each in self._with_part(line)}
        if 1 <= int(line) <= len(self.listing):
            meant[int(line)] = self.listing.at(int(line))
        if len(meant) > 1:
            raise self._refusals.ambiguous(line, [meant[number] for number in sorted(meant)])
        return next((each.command for each in meant.values()), None)

    def _by_number(self, number: int, rest: str, line: str) -> Any:
        """Return the command of a number; what stands behind it may only be its words and its JSON."""
        if not 1 <= number <= len(self.listing):
            raise self._refusals.number(number)
        rest = rest.lstrip("-\u2013\u2014 ")
        if rest and not self.listing.at(number).is_repeated_by(rest):
            once = rest.count("#") < 2  # `#1 draw (#1)`; each number more would be read within the one before
            if once and self._command_of(rest.strip("() ")) == self.listing.commands[number - 1]:
                return self.listing.commands[number - 1]
            repeated = [each for each in self.listing.all if each.is_repeated_by(rest)]
            others = repeated or [each for each in self._mentioned(line) if each.number != number]
            meant = [self.listing.at(number), *others]
            raise self._refusals.ambiguous(line, meant) if others else self._refusals.unread(line)
        return self.listing.commands[number - 1]

    def _by_words(self, line: str) -> Any:
        """Find the one command of these words, else of the same words in another order; None if there is none."""
        found = self.listing.by_words.get(folded(line), [])
        if not found and looks_like_json(line):
            found = [each for each in self.listing.all if folded(f"{each.words} {each.json}") == folded(line)]
            if len(found) != 1:
                raise self._refusals.unread(line)
        if not found and not self.listing.open_ended:
            said, tokens = self._wording.tokens(line), self.listing.tokens
            same = self.listing.by_tokens.get(frozenset(said), []) if said else []
            found = [
                self.listing.all[at]
                for at in same
                if self._wording.same_values(said, tokens[at]) and self._wording.denies_the_same(said, tokens[at])
            ]
        return found[0].command if len(found) == 1 else None

    def _with_part(self, line: str) -> list[ListedCommand]:
        """List the commands that have these words among their own, in this order; of those the one with no more values.

        Where more may be legal than is listed, none: one in the list need not be the one that is meant. None either
        where there is one command alone: any words of it would do.
        """
        some = self._wording.tokens(line)
        if self.listing.open_ended or not some or len(self.listing) == 1:
            return []
        values = self._wording.values(some)
        pairs = zip(self.listing.all, self.listing.tokens, strict=True)
        found = [
            (each, tokens)
            for each, tokens in pairs
            if self._wording.is_part(some, tokens) and self._wording.denies_the_same(some, tokens)
        ]
        exact = [each for each, tokens in found if values and self._wording.values(tokens) == values]
        return exact if len(exact) == 1 else [each for each, _ in found]

    def _of_json_behind_tag(self, line: str) -> Any:
        """Return the command of a tag and a JSON object of just its fields: `open {"pile": 1}`; None if it is none."""
        found = _TAG_AND_JSON.fullmatch(line)
        value = None if found is None else json_in(found[2])
        if found is None or value is None:
            return None
        for kind, tag in self.game.wire.items():
            names = {field.name for field in attrs.fields(kind)}
            if tag.casefold() == found[1].casefold() and set(value) == names and not is_nested(kind):
                return self._of_json({"tag": tag, **value})
        return None

    def _of_json(self, value: dict[str, Any]) -> Any:
        tag, fields = split_json(value, self.game)
        if "tag" not in value and value:
            had = [(kind, each) for kind, each in self.game.wire.items() if each in self.listing.tags]
            fitting = [each for kind, each in had if set(value) == {field.name for field in attrs.fields(kind)}]
            tag = fitting[0] if len(fitting) == 1 else tag
        if tag is None:
            raise self._refusals.untagged()
        named = tag if isinstance(tag, str) else ""
        if named in self.game.wire.values() and isinstance(fields, dict):
            reader, kind = FieldReader(self._wording.faces), attrs.resolve_types(wire_of(self.game).tags[named])
            kinds = {field.name: field.type for field in attrs.fields(kind)}
            fields = {name: reader.cards_of(kinds.get(name), each) for name, each in fields.items()}
        return self._decoded(named, fields)

    def _of_tag(self, line: str) -> Any:
        tag, values = self._parted(line)
        if tag is None:
            raise self._refusals.unread(line)
        kind = wire_of(self.game).tags[tag]
        try:
            if not attrs.fields(kind) and self._wording.tells_only(values, tag):
                return self._decoded(tag, {})
            command = self._decoded(tag, self._fields(kind, tag, values))
        except UnreadValue as unread:
            self._check_tag(tag)
            raise self._refusals.unread_value(tag, unread.field, line) from None
        own = [] if values else [each for each in self.listing.all if wire_of(self.game).tag(each.command) == tag]
        if len(own) > 1 and any(each.command == command for each in own):  # `settle`: eat none, or any other
            raise self._refusals.ambiguous(line, own)
        return command

    def _parted(self, line: str) -> tuple[str | None, str]:
        """Return the tag that a line begins with, or that it calls otherwise, and what stands behind it."""
        first, _, values = line.rstrip(".。 ").partition(" ")
        named = first.removesuffix(":").removesuffix("\uff1a").casefold()
        tag = next((each for each in self.game.wire.values() if each.casefold() == named), None)
        return tag or self._wording.tag_called(named), values

    def _fields(self, kind: type, tag: str, values: str) -> dict[str, Any]:
        """Return the fields that values are; before them may stand what the command is called."""
        reader = FieldReader(self._wording.faces)
        try:
            return reader.read(kind, values)
        except UnreadValue:
            names = [field.name for field in attrs.fields(kind)]
            bare = self._wording.without_label(values, tag, names[0] if len(names) == 1 else "")
            if bare == values:
                raise
            return reader.read(kind, bare)

    def _decoded(self, tag: str, fields: Any) -> Any:
        try:
            command = wire_of(self.game).decode(tag, fields) if tag in self.game.wire.values() else None
        except RuleViolation as violation:
            self._check_tag(tag)
            raise self._refusals.malformed(tag, violation.facts.get("why", "")) from None
        self._check_tag(tag, command)
        return command

    def _check_tag(self, tag: str, command: Any = None) -> None:
        """Refuse a tag that the seat has not now, by the rule of the game that forbids the command if there is one."""
        if tag in self.listing.tags:
            return
        if tag in self.game.wire.values() and self.game.open_ended(self.state, self.seat):
            return
        if command is not None:
            try:
                self.game.apply(self.state, self.seat, command)
            except RuleViolation as violation:
                if not isinstance(violation.rule, TableRule):
                    raise self.broken(violation) from None
            except Exception:  # noqa: S110 (a stranger's rules may raise anything: the seat has no such command)
                pass
        raise self._refusals.tag(tag)

    def _judged(self, command: Any) -> Any:
        """Return the command as the list has it, or as the rules accept it; raises `Refused` by the rule it breaks."""
        for each in self.listing.commands:
            if each == command and type(each) is type(command):
                return each
        try:
            self.game.apply(self.state, self.seat, command)
        except RuleViolation as violation:
            if violation.rule is TableRule.FORM:
                said = in_order(command)
                same = [each for each in self.listing.commands if each == said or is_in_other_case(each, command)]
                if len(same) == 1:
                    return same[0]
            raise self.broken(violation, wire_of(self.game).tag(command)) from None
        except Exception:  # a stranger's rules may raise anything when they are asked about a stranger's command
            why = Message("table-unjudged", "the rules cannot judge it")
            raise self._refusals.malformed(wire_of(self.game).tag(command), why) from None
        return command

    def broken(self, violation: RuleViolation, tag: str | None = None) -> Refused:
        """Return the refusal of a command that breaks a rule."""
        return self._refusals.broken(violation, tag)

    def faces(self) -> dict[str, set[Any]]:
        """Map the text of each face of the game's cards, and the name of each, to the cards that have it."""
        return self._wording.faces


def _is_decided(refused: Refused) -> bool:
    """Return True if no other reading of the line is looked for: a rule of the game forbids it, or it names several."""
    by_rule = refused.kind == "rule" and refused.rule is not TableRule.FORM
    return by_rule or refused.kind == "number" or "numbers" in refused.facts
