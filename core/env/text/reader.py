"""From an answer to a command of a seat, or to a refusal that says what would have been fine."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

from attrs import frozen

from ...errors import Message
from ...game import RuleViolation, TableRule
from ...wire import wire_of
from .answers import folded, json_in, last_line, number_in
from .listing import Listing
from .refusals import RefusalWriter


@frozen
class AnswerReader:
    """Reads the answers of one seat that is asked to act; changes nothing.

    An answer is a number of the list, JSON, or the words of the list. `judge` is given each command that the list has
    not, and raises `RuleViolation` if a rule forbids it.
    """

    listing: Listing
    judge: Callable[[Any], object]

    def read(self, answer: Any) -> Any:
        """Return the command that an answer gives; raises `Refused`."""
        line = last_line(answer) if isinstance(answer, str) else ""
        value, number = json_in(line), number_in(line)
        if value is not None and "tag" in value:
            return self._of_json(value)
        if number is not None and self._is_of_the_list(*number):
            return self._of_number(number[0])
        named = self.listing.by_words.get(folded(line))
        if named is None or number is not None:
            raise self.refusals.unread(line)
        return named.command

    @cached_property
    def refusals(self) -> RefusalWriter:
        """What writes why an answer is refused."""
        return RefusalWriter(self.listing)

    def _is_of_the_list(self, number: int, is_marked: bool) -> bool:
        """Return True if a number is that of the list, and no card or value of another command is called so."""
        return is_marked or not any(
            str(number) in re.findall("[0-9]+", folded(each.words))
            for each in self.listing.all
            if each.number != number
        )

    def _of_number(self, number: int) -> Any:
        if not 1 <= number <= len(self.listing):
            raise self.refusals.number(number)
        return self.listing.commands[number - 1]

    def _of_json(self, value: dict[str, Any]) -> Any:
        tag, fields = split_json(value)
        if tag not in self.listing.game.wire.values():
            raise self.refusals.tag(str(tag))
        try:
            command = wire_of(self.listing.game).decode(tag, fields)
        except RuleViolation as violation:
            if not self._may_have(tag):
                raise self.refusals.tag(tag) from None
            raise self.refusals.malformed(tag, violation.facts.get("why", "")) from None
        return self._judged(tag, command)

    def _judged(self, tag: str, command: Any) -> Any:
        """Return the command as the list has it, or as the rules accept it; raises `Refused` by the rule it breaks."""
        for each in self.listing.commands:
            if each == command and type(each) is type(command):
                return each
        try:
            self.judge(command)
        except RuleViolation as violation:
            if isinstance(violation.rule, TableRule) and not self._may_have(tag):
                raise self.refusals.tag(tag) from None
            raise self.refusals.broken(violation, tag) from None
        except Exception:  # a stranger's rules may raise anything when they are asked about a stranger's command
            why = Message("table-unjudged", "the rules cannot judge it")
            raise self.refusals.malformed(tag, why) from None
        if not self._may_have(tag):
            raise self.refusals.tag(tag)
        return command

    def _may_have(self, tag: str) -> bool:
        return self.listing.open_ended or tag in self.listing.tags


def split_json(value: dict[str, Any]) -> tuple[Any, Any]:
    """Return the tag and the fields of `{"tag": …, NAME: …}` or `{"tag": …, "fields": {…}}`."""
    if set(value) == {"tag", "fields"} and isinstance(value["fields"], dict):
        return value["tag"], value["fields"]
    return value["tag"], {name: each for name, each in value.items() if name != "tag"}
