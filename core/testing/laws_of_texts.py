"""Law 8: everything has its words, in every language in which the game has any.

What matches need is gathered from them (`needed_in`): a message for each note, refusal, label, button and field,
and the values that it is given. Then each catalogue is held against it, as read from its source.
"""

from __future__ import annotations

import ast as python
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from typing import Any

import attrs
from attrs import frozen
from fluent.syntax import FluentParser, ast

from ..env.text.prompt import commands_of_seats
from ..errors import Message
from ..game import FORMAT_COMMANDS, TABLE, AnyGame, Game, Part, RedactedCommand, RuleViolation, TableRule, classes_of
from ..match import AnyMatch, Match
from ..match.header import new_header
from ..text.message_catalogue import sources_of
from ..text.texts import FALLBACK
from ..wire import wire_of
from .channels import scene_of
from .laws_of_play import states_of, tries
from .laws_of_record import Case
from .play import pick, seats_of, shuffler_of


@frozen(eq=False)
class MessageUses:
    """A message as it is parsed, and the variables in its pattern, in all of its variants."""

    source: ast.Message
    variables: frozenset[str]

    def used(self, given: Given) -> set[str]:
        """Return the variables that are used with these values: of a selection by a known word those of one variant."""
        words = {name: word for name, word in given if word is not None}
        return set(_used(self.source.value, words))


Given = frozenset[tuple[str, str | None]]
"""The names of the values that a message is given, and those values that are a word to select by."""

Catalogue = Mapping[str, MessageUses]
"""The messages of one language by key."""


def _used(node: Any, words: Mapping[str, str]) -> Iterator[str]:
    """Yield the variables in a pattern: of a selection by one of these words those of one variant, else of all."""
    if isinstance(node, ast.VariableReference):
        yield node.id.name
        return
    if isinstance(node, ast.SelectExpression):
        yield from _used(node.selector, words)
        chosen = words.get(node.selector.id.name) if isinstance(node.selector, ast.VariableReference) else None
        variants = [each for each in node.variants if _key(each) == chosen] or [
            each for each in node.variants if each.default
        ]
        for variant in node.variants if chosen is None else variants:
            yield from _used(variant.value, words)
        return
    for value in vars(node).values() if isinstance(node, ast.BaseNode) else ():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.BaseNode):
                yield from _used(each, words)


def _key(variant: ast.Variant) -> str:
    return variant.key.name if isinstance(variant.key, ast.Identifier) else str(variant.key.value)


def given_of(values: Mapping[str, Any]) -> Given:
    """Return what a message is given, of which words are those that a catalogue could select by."""
    return frozenset((name, _word(value)) for name, value in values.items())


def _word(value: Any) -> str | None:
    value = value.value if isinstance(value, Enum) else value
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return value if isinstance(value, str) and re.fullmatch("[a-z][a-z_-]*", value) else None


@cache
def made_in_source(package: str) -> frozenset[tuple[str, Given]]:
    """Return the messages that the modules of a package make: their keys, each with the values that it is given.

    Without those that kifu's own catalogue has, and those whose values are not written down.
    """
    ours = {f"message-{key}" for key in _keys_of(Message.package)}
    calls = [call for path in _modules(files(package)) for call in _calls(path.read_text(encoding="utf-8"))]
    made = [(f"message-{call.args[0].value}", call.keywords) for call in calls]  # type: ignore[attr-defined]
    return frozenset(
        (key, frozenset((str(each.arg), None) for each in keywords))
        for key, keywords in made
        if key not in ours and all(each.arg for each in keywords)
    )


@cache
def _keys_of(package: str) -> frozenset[str]:
    sources = [path.read_text(encoding="utf-8") for path in files(package).joinpath("texts").iterdir()]
    return frozenset(key for each in sources for key in re.findall(r"(?m)^message-([\w-]+) *=", each))


def _modules(folder: Traversable) -> Iterator[Traversable]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _modules(each)
        elif each.name.endswith(".py"):
            yield each


def _calls(source: str) -> Iterator[python.Call]:
    """Yield the calls of `Message` with a key that is written down."""
    for node in python.walk(python.parse(source)):
        if isinstance(node, python.Call) and node.args and isinstance(node.args[0], python.Constant):
            name = node.func.attr if isinstance(node.func, python.Attribute) else getattr(node.func, "id", None)
            if name == "Message" and isinstance(node.args[0].value, str):
                yield node


def catalogue_of(source: str) -> Catalogue:
    """Parse the source of a catalogue; raises `AssertionError` for what is no message or comes twice."""
    messages = [message for chunk in re.split(r"(?m)^(?=[a-zA-Z-])", source) for message in _messages(chunk)]
    keys = [key for key, _ in messages]
    twice = {key for key in keys if keys.count(key) > 1}
    assert not twice, f"the message {min(twice)} is there twice"
    return dict(messages)


@lru_cache(maxsize=8192)
def _messages(source: str) -> list[tuple[str, MessageUses]]:
    """Parse a part of a catalogue, which begins with a key; a catalogue that is changed in one is parsed in one."""
    body = FluentParser().parse(source).body
    for entry in body:
        if isinstance(entry, ast.Junk):
            why = "; ".join(str(each.message) for each in entry.annotations)
            raise AssertionError(f"this is no message: {str(entry.content).strip()}\nFluent says: {why}")
    return [
        (entry.id.name, MessageUses(entry, frozenset(_used(entry, {}))))
        for entry in body
        if isinstance(entry, ast.Message)
    ]


Needed = dict[str, set[Given]]
"""The keys of messages, each with the values that it is given, time and again."""
NOTHING: Given = frozenset()

IN_THE_SOURCE = ("rule-", "message-")
"""What stands in the source in English: the sentences of rules, why something is refused."""
OPTIONAL = ("refused-", "doing-")
"""What may be said in words of its own: without them the violation, or a command's name and fields, stand there."""
IN_ONE_LANGUAGE = ("readings",)
"""What one language may need and another not."""
COMMANDS = 40
STATES = 3


def catalogues_of(game: AnyGame) -> dict[str, Catalogue]:
    """Return the parsed catalogues of a game by language."""
    return {lang: catalogue_of(source) for lang, source in sources_of(game).items()}


def catalogues_agree(game: AnyGame) -> None:
    """Law 8: the languages have the same messages, and each message the same variables.

    Of the English that is derived another language needs only what a match needs (`messages_are_there`).
    """
    catalogues = catalogues_of(game)
    assert FALLBACK in catalogues, f"{game.name} has no catalogue in {FALLBACK}, as texts/{FALLBACK}.ftl"
    reference = catalogues[FALLBACK]
    derived = derived_in(game, reference)
    for lang, other in catalogues.items():
        missing = [
            f"the message {key} is missing in texts/{lang if key in reference else FALLBACK}.ftl"
            for key in sorted((reference.keys() - derived) ^ (other.keys() - derived))
            if not key.startswith((*IN_THE_SOURCE, *IN_ONE_LANGUAGE))
        ]
        assert not missing, "; ".join(missing)
        for key in sorted(each for each in reference.keys() & other.keys() if not each.startswith(IN_ONE_LANGUAGE)):
            assert reference[key].variables == other[key].variables, (
                f"the message {key} uses {sorted(reference[key].variables)} in texts/{FALLBACK}.ftl, "
                f"{sorted(other[key].variables)} in texts/{lang}.ftl"
            )


def derived_in(game: AnyGame, english: Catalogue) -> set[str]:
    """Return the messages that English says as they are derived, and not in words of the game's own."""
    derived = catalogue_of(game.english)
    return {key for key, each in derived.items() if key in english and each.source.equals(english[key].source)}


def messages_are_there(game: AnyGame, needed: Needed) -> None:
    """Law 8: every language has the messages that are needed, and they use no value that they are not given."""
    catalogues = catalogues_of(game)
    missing = [
        f"texts/{lang}.ftl has no message {key}"
        for lang, catalogue in catalogues.items()
        for key in needed
        if key not in catalogue and not key.startswith((*OPTIONAL, *(IN_THE_SOURCE if lang == FALLBACK else ())))
    ]
    assert not missing, "; ".join(missing)
    for lang, catalogue in catalogues.items():
        for key in needed.keys() & catalogue.keys():
            for given in needed[key]:
                strange = catalogue[key].used(given) - {name for name, _ in given}
                assert not strange, f"the message {key} in texts/{lang}.ftl uses ${min(strange)}, which it is not given"


def needed_in(game: AnyGame, matches: Iterable[AnyMatch], cases: Iterable[Case]) -> Needed:
    """Return the messages that a game needs in some matches, and for the refusals of its cases."""
    needed: Needed = {}
    refused = (_of_refusal(game, case.state, case.seat, case.command) for case in cases)
    for key, given in chain(_of_game(game), *refused, *map(_of_match, matches)):
        needed.setdefault(key, set()).add(given)
    return needed


def _of_game(game: AnyGame) -> Iterator[tuple[str, Given]]:
    """Yield what is needed whatever is played: the title, options, commands, rules, messages made in the source."""
    keys = ["game", *(f"command-{tag}" for tag in game.wire.values())]
    keys += [f"option-{name}" for name in wire_of(game).option_fields]
    keys += [f"rule-{rule.number}" for rule in game.book]
    yield from ((key, NOTHING) for key in keys)
    if isinstance(game.texts, str) and game.texts:
        yield from made_in_source(game.texts)


def _of_match(match: AnyMatch) -> Iterator[tuple[str, Given]]:
    """Yield what a match needs: its notes, refusals of commands at some of its states, and all labels."""
    for step in match.steps:
        if isinstance(step.command, FORMAT_COMMANDS):
            continue
        for viewer in (TABLE, None, *seats_of(match)):
            for note in step.notes_for(viewer):
                yield f"note-{note.key}", given_of(dict(note.values))
            yield from _of_redacted(match.game, step.command_for(viewer))
    for state in states_of(match, STATES):
        yield from _of_refusals(match, state)
        yield from _of_labels(match, state)


def _of_redacted(game: AnyGame, command: Any) -> Iterator[tuple[str, Given]]:
    """Yield the labels of what a redacted command shows, except for cards and seats, which have words of their own."""
    if isinstance(command, RedactedCommand):
        kind = next(kind for kind, tag in game.wire.items() if tag == command.tag)
        own = {field.name for field in attrs.fields(kind)}
        for name, _ in command.fields:
            if name not in own:
                yield f"field-{name}", NOTHING


def _of_refusals(match: Match[Any, Any, Any], state: Any) -> Iterator[tuple[str, Given]]:
    for seat, command in pick(shuffler_of(match, "refusals"), tries(match, state, ()), COMMANDS):
        yield from _of_refusal(match.game, state, seat, command)


def _of_refusal(game: AnyGame, state: Any, seat: int, command: Any) -> Iterator[tuple[str, Given]]:
    """Yield what the refusal of a command needs: the messages of its rule, and that of each reason in its facts."""
    try:
        game.apply(state, seat, command)
    except RuleViolation as refused:
        if not isinstance(refused.rule, TableRule):
            for kind in ("violation", "refused"):
                yield f"{kind}-{refused.rule.number}", given_of({"seat": refused.seat, **refused.facts})
        for value in refused.facts.values():
            yield from _of_message(value)


def _of_message(value: Any) -> Iterator[tuple[str, Given]]:
    """Yield what a message of the game's own needs, and those inside it; of any other value nothing."""
    if isinstance(value, Message) and value.package != Message.package:
        yield f"message-{value.key}", given_of(value.values)
        for each in value.values.values():
            yield from _of_message(each)


def _of_labels(match: Match[Any, Any, Any], state: Any) -> Iterator[tuple[str, Given]]:
    game = match.game
    for viewer in (TABLE, None, *seats_of(match)):
        scene = scene_of(game, game.view(state, viewer))
        for key in scene.labels():
            yield key, NOTHING
        if viewer is not None and viewer != TABLE:
            lying = {thing.part for thing in scene.things()}
            legal = pick(shuffler_of(match, "labels"), list(game.legal(state, viewer)), COMMANDS)
            for command in legal:
                given = given_of(attrs.asdict(command, recurse=False))
                yield f"doing-{game.wire[type(command)]}", given
            for part in {part for command in legal for part in game.parts(command)} - lying:
                numbered = len(part) == 2 and isinstance(part[1], int)
                if numbered and part[0] != "seat":  # a seat has the name of whoever sits there
                    yield f"part-{part[0]}", given_of({"number": part[1]})
                elif not numbered:
                    yield button(part), NOTHING


def button(part: Part) -> str:
    """Return the message key of a part that lies nowhere: a button, or (of one name only) a field to type into."""
    return f"field-{part[0]}" if len(part) == 1 else "-".join(("part", *map(str, part)))


def every_field_has_a_meaning(game: Game[Any, Any, Any]) -> None:
    """Raise unless each catalogue has a message `field-TAG-NAME` for each field of a seat's command."""
    names = tuple(f"seat {seat}" for seat in range(game.seats[0]))
    header = new_header(game, names, {}, bytes(32), match="", started=None, engine="kifu.core.testing")
    needed = [
        f"field-{game.wire[kind]}-{field.name}"
        for kind in commands_of_seats(game, header)
        for field in attrs.fields(kind)
    ]
    for lang, source in sources_of(game).items():
        known = catalogue_of(source)
        missing = [key for key in needed if key not in known]
        assert not missing, (
            f"the catalogue {lang} does not say what the fields of commands mean: {', '.join(missing)}{_whose(game)}"
        )


def _whose(game: Game[Any, Any, Any]) -> str:
    """Say how a command that only the table gives is told from those of seats, where the game does not say it."""
    if not game.has_deal or 0 < len(set(classes_of(game.deal))) < len(game.wire):
        return ""
    return (
        "; which commands the table gives is read from the annotation of `deal`, as `-> Deal` or `-> Deal | Draw`: "
        "it has none, or one of all commands"
    )
