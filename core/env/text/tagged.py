"""From JSON, or a tag and values, to a command that the rules accept, or to a refusal by the rule it breaks."""

from __future__ import annotations

import re
from typing import Any

import attrs
from attrs import frozen

from ...errors import Message
from ...game import AnyGame, RuleViolation, Seat, TableRule
from ...wire import wire_of
from .answers import FieldReader, UnreadValue, in_order, is_in_other_case, is_nested, json_in, split_json
from .listing import Listing
from .refusals import RefusalWriter
from .wording import Wording

_TAG_AND_JSON = re.compile(r"(\w{1,40})\s*(?:[:\uff1a]\s*)?(\{.*\})[.。]?")


@frozen
class TagReader:
    """Reads a command of one seat from its tag and its fields, and judges it."""

    game: AnyGame
    state: Any
    seat: Seat
    listing: Listing
    refusals: RefusalWriter

    @property
    def _wording(self) -> Wording:
        return self.listing.wording

    def of_json_behind_tag(self, line: str) -> Any:
        """Return the command of a tag and a JSON object of just its fields: `open {"pile": 1}`; None if it is none."""
        found = _TAG_AND_JSON.fullmatch(line)
        value = None if found is None else json_in(found[2])
        if found is None or value is None:
            return None
        for kind, tag in self.game.wire.items():
            names = {field.name for field in attrs.fields(kind)}
            if tag.casefold() == found[1].casefold() and set(value) == names and not is_nested(kind):
                return self.of_json({"tag": tag, **value})
        return None

    def of_json(self, value: dict[str, Any]) -> Any:
        """Return the command of an object of JSON, not judged yet; raises `Refused`."""
        tag, fields = split_json(value, self.game)
        if "tag" not in value and value:
            had = [(kind, each) for kind, each in self.game.wire.items() if each in self.listing.tags]
            fitting = [each for kind, each in had if set(value) == {field.name for field in attrs.fields(kind)}]
            tag = fitting[0] if len(fitting) == 1 else tag
        if tag is None:
            raise self.refusals.untagged()
        named = tag if isinstance(tag, str) else ""
        if named in self.game.wire.values() and isinstance(fields, dict):
            reader, kind = FieldReader(self._wording.faces), attrs.resolve_types(wire_of(self.game).tags[named])
            kinds = {field.name: field.type for field in attrs.fields(kind)}
            fields = {name: reader.cards_of(kinds.get(name), each) for name, each in fields.items()}
        return self._decoded(named, fields)

    def of_tag(self, line: str) -> Any:
        """Return the command of a tag and values, not judged yet; raises `Refused`."""
        tag, values = self.listing.parted(line)
        if tag is None:
            raise self.refusals.unread(line)
        kind = wire_of(self.game).tags[tag]
        try:
            if not attrs.fields(kind) and self._wording.tells_only(values, tag):
                return self._decoded(tag, {})
            command = self._decoded(tag, self._fields(kind, tag, values))
        except UnreadValue as unread:
            self._check_tag(tag)
            raise self.refusals.unread_value(tag, unread.field, line) from None
        own = [] if values else [each for each in self.listing.all if wire_of(self.game).tag(each.command) == tag]
        if len(own) > 1 and any(each.command == command for each in own):  # `settle`: eat none, or any other
            raise self.refusals.ambiguous(line, own)
        return command

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
            raise self.refusals.malformed(tag, violation.facts.get("why", "")) from None
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
                    raise self.refusals.broken(violation) from None
            except Exception:  # noqa: S110 (a stranger's rules may raise anything: the seat has no such command)
                pass
        raise self.refusals.tag(tag)

    def _check_texts(self, command: Any) -> None:
        """Refuse a command whose texts no legal command of its kind has: whatever its form, another word is wanted."""
        texts = [each for each in attrs.astuple(command, recurse=False) if isinstance(each, str)]
        own = [each for each in self.listing.commands if type(each) is type(command)]
        has = any(all(each in attrs.astuple(other, recurse=False) for each in texts) for other in own)
        if texts and own and not has and not self.listing.open_ended:
            raise self.refusals.unlisted(wire_of(self.game).tag(command), texts)

    def judged(self, command: Any) -> Any:
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
                self._check_texts(command)
            raise self.refusals.broken(violation, wire_of(self.game).tag(command)) from None
        except Exception:  # a stranger's rules may raise anything when they are asked about a stranger's command
            why = Message("table-unjudged", "the rules cannot judge it")
            raise self.refusals.malformed(wire_of(self.game).tag(command), why) from None
        return command
