"""From an answer to a command of a seat, or to a refusal that says what would have been fine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

import attrs
from attrs import frozen

from ...game import AnyGame, RuleViolation, Seat, TableRule
from ...text.texts import Names, Texts
from ...wire import wire_of
from .answers import (
    answer_within,
    cleaned,
    folded,
    is_question,
    item_in,
    json_in,
    last_line,
    looks_like_json,
    number_in,
    numbers_in,
)
from .finder import CommandFinder
from .grouping import grouped_otherwise, says_several
from .japanese import is_japanese, number_chosen
from .listed import ListedCommand
from .listing import LISTED, Listing
from .reasons import without_reason
from .refusals import MAX_MEANT, RefusalWriter, Refused
from .speech import things_apart
from .tagged import TagReader
from .talk import without_talk
from .wording import Wording, readings, undressed

MAX_DIGITS = 6
_NEXT_LIST = re.compile(r"\]\s*(?:,\s*)?\[")
"""What stands between two lists of a list, as in `[R] [B]`."""
_OF_ANOTHER = re.compile(
    r"(?i)(?:seat \d+|(?:my|the) partner) (?P<tag>[a-z]+)s\b.*"
    r"|(?:(?:i|i['\u2019]ll|i will|we|please)\b,? ?)*(?:let|make|have) (?:them|him|her|others?|somebody|someone)\b.*"
)
"""What somebody else does: `seat 0 claims a pair`, `let them draw`."""
_SO_MANY = re.compile(r"(?i)(?<![\w#])\d+ (?P<noun>[a-z]+)s\b")
"""How many there are of something: `3 piles` are not pile 3."""
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
            line = line if folded(line) in self.listing.by_words else things_apart(line)
        if not line:
            raise self._refusals.empty()
        if is_question(line) and folded(line) not in self.listing.by_words:
            raise self._refusals.question(line)
        if self._is_other(line):
            raise self._refusals.unread(line)
        try:
            return self._of_whole(line)
        except Refused:
            if looks_like_json(line):
                raise
            for bare in self._barer(line):
                try:
                    return self._of_whole(bare)
                except Refused as other:
                    if "numbers" in other.facts:
                        raise
            raise

    def _is_other(self, line: str) -> bool:
        """Return True if somebody else is to do what a line says, or it counts what its commands number."""
        another, many = _OF_ANOTHER.fullmatch(line), _SO_MANY.search(line)
        if another is not None and (another["tag"] is None or another["tag"].casefold() in self._forms):
            return True
        return many is not None and many["noun"].casefold() in self.listing.things and not looks_like_json(line)

    def _barer(self, line: str) -> Iterator[str]:
        """Yield a line without the reason given for its command, without the talk around that, and without talk."""
        bare = without_reason(line, self._wording.names_any_command)
        barer = without_reason(bare, self._wording.names_any_command)
        forms = (bare, self._quiet(bare), self._quiet(line), self._quiet(barer))
        yield from dict.fromkeys(each for each in forms if each not in ("", line))

    def _quiet(self, line: str) -> str:
        listing, wording = self.listing, self._wording
        return without_talk(line, listing.told, listing.things, wording.own_seat, wording.names_any_command)

    def _of_whole(self, line: str) -> Any:
        """Return the command that a line is, with nothing left out; raises `Refused`, too, if it may be parted anew."""
        command = self._of_readings(line)
        if says_several(line, command):
            raise self._refusals.unread(line)
        other = grouped_otherwise(line, command, self.listing.commands, self._wording.faces)
        if other is not None:
            both = [each for each in self.listing.all if each.command in (command, other)]
            raise self._refusals.ambiguous(line, both)
        return command

    def _of_readings(self, line: str) -> Any:
        """Return the command of the first way to read a line that gives one."""
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
    def _tagged(self) -> TagReader:
        return TagReader(self.game, self.state, self.seat, self.listing, self._refusals)

    @property
    def _finder(self) -> CommandFinder:
        return CommandFinder(self.listing)

    @cached_property
    def _refusals(self) -> RefusalWriter:
        return RefusalWriter(self.game, self.seat, self.listing, self.texts, self.names)

    def _of_line(self, line: str) -> Any:
        """Return the command that a line is, and is nothing else; raises `Refused`."""
        value = json_in(line)
        if value is not None:
            return self._tagged.judged(self._tagged.of_json(value))
        behind_tag = self._tagged.of_json_behind_tag(line)
        if behind_tag is not None:
            return self._tagged.judged(behind_tag)
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

    def _of_tag(self, line: str) -> Any:
        return self._tagged.judged(self._tagged.of_tag(line))

    def _of_tag_or_part(self, line: str) -> Any:
        """Return the command of a tag and values, or the only one that has these words among its own."""
        try:
            command = self._of_tag(line)
        except Refused as refused:
            if _is_decided(refused):
                raise
            phrased = self._finder.phrased(line)
            parts = self._finder.with_part(line) or self._finder.behind_tag(line)
            if phrased and set(phrased).isdisjoint(parts):  # `seat 0 ♠8` is not the end of a clause and the next one
                parts = phrased
            if len(parts) == 1:
                return parts[0].command
            parts = parts or self._finder.with_values(line)
            if 1 < len(parts) <= MAX_MEANT:
                raise self._refusals.ambiguous(line, parts) from None
            raise
        parts = self._finder.with_part(line) if len(self.listing) <= LISTED else []
        if len(parts) == 1 and parts[0].command != command and command in self.listing.commands:
            numbers = {self.listing.commands.index(command) + 1, parts[0].number}
            raise self._refusals.ambiguous(line, [self.listing.at(number) for number in sorted(numbers)])
        return command

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
        if len(self.listing) == 1 and self._finder.is_of_the_only(line):
            return self.listing.commands[0]
        japanese = self._by_japanese(line) if is_japanese(line) else None
        if japanese is not None:
            return japanese
        named = self._finder.mentioned(line)
        if not named and len(self.listing.tags) == 1:
            each_said = self._finder.with_values(f"{self.listing.tags[0]} {line}")
            named = each_said if len(each_said) <= MAX_MEANT else named
        if len(named) > 1:
            raise self._refusals.ambiguous(line, named)
        if len(self.listing.tags) == 1 and not self.listing.open_ended:
            for each in readings(line, self._wording):
                tokens = self._wording.tokens(each)
                if tokens and self._wording.values(tokens) == tokens:  # values alone: of the one command that there is
                    return self._tagged.judged(
                        self._tagged.of_tag(f"{self.listing.tags[0]} {self._wording.spoken(each)}")
                    )
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
        said = self._wording.said(self._wording.spoken(line))
        phrased = self._finder.phrased(line)
        if len(phrased) == 1:
            return phrased[0].command
        for own in (True, False) if said else ():
            found = self.listing.named_in_japanese(said, own=own)
            if len(found) == 1:
                return found[0].command
            if 1 < len(found) <= MAX_MEANT:
                raise self._refusals.ambiguous(line, found)
        return self._by_label(said)

    def _by_label(self, said: Sequence[str]) -> Any:
        """Return the command of what all of a tag are called in Japanese and its values, as of the tag and them."""
        values = self._wording.values(said)
        for tag in self.listing.labelled(set(said).difference(values)) if values else ():
            with suppress(Refused):
                return self._tagged.judged(self._tagged.of_tag(f"{tag} {' '.join(values)}"))
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
        if self._finder.is_of(lead, self.listing.tokens[number - 1]):
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

    def _command_of(self, words: str) -> Any:
        """Return the command that words are; None if they are none, or could be several."""
        for each in readings(words, self._wording):
            with suppress(Refused):
                return self._of_line(each)
        return None

    def _by_bare_number(self, line: str) -> Any:
        """Return the one command that a number alone names: by its number in the list, or among its words."""
        if not (line.isascii() and line.isdigit() and len(line) <= MAX_DIGITS):
            return None
        meant = {each.number: each for each in self._finder.with_part(line)}
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
            others = repeated or [each for each in self._finder.mentioned(line) if each.number != number]
            meant = [self.listing.at(number), *others]
            raise self._refusals.ambiguous(line, meant) if others else self._refusals.unread(line)
        return self.listing.commands[number - 1]

    def _by_words(self, line: str) -> Any:
        """Find the one command of these words, else of the same words in another order; None if there is none."""
        found = self.listing.by_words.get(folded(line), [])
        if not found and looks_like_json(line):
            whole = folded(line)
            begun = [alike for words, alike in self.listing.by_words.items() if whole.startswith(words)]
            found = [each for alike in begun for each in alike if folded(f"{each.words} {each.json}") == whole]
            if len(found) != 1:
                raise self._refusals.unread(line)
        found = found or self._by_tokens(self._wording.tokens(line))
        return found[0].command if len(found) == 1 else None

    def _by_tokens(self, said: Sequence[str]) -> list[ListedCommand]:
        """List the commands of the same words; in the same order where more may be legal than is listed."""
        listing, wording = self.listing, self._wording
        same = [(listing.all[at], listing.tokens[at]) for at in listing.by_tokens.get(frozenset(said), []) if said]
        if listing.open_ended:
            return [each for each, tokens in same if said == tokens]
        return [
            each for each, tokens in same if wording.same_values(said, tokens) and wording.denies_the_same(said, tokens)
        ]

    def broken(self, violation: RuleViolation) -> Refused:
        """Return the refusal of a command that breaks a rule."""
        return self._refusals.broken(violation)

    def faces(self) -> dict[str, set[Any]]:
        """Map the text of each face of the game's cards, and the name of each, to the cards that have it."""
        return self._wording.faces


def _is_decided(refused: Refused) -> bool:
    """Return True if no other reading of the line is looked for: a rule of the game forbids it, or it names several."""
    by_rule = refused.kind == "rule" and refused.rule is not TableRule.FORM
    return by_rule or refused.kind == "number" or "numbers" in refused.facts
