"""Law 8: everything has its words, in every language in which the game has any.

What a match needs is gathered from the match (`needed_by`): a message for each note, refusal, label, button and field,
and the values that it is given. Then each catalogue is held against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import attrs

from ..errors import Message
from ..game import FORMAT_COMMANDS, TABLE, AnyGame, Part, RedactedCommand, RuleViolation, TableRule
from ..match import Match
from ..text.texts import FALLBACK
from .case import Case
from .channels import scene_of
from .laws_of_play import seats_of, states_of, tries
from .messages import Catalogue, Given, catalogue_of, given_of, languages_of, made_in_source, source_of
from .play import pick, shuffler_of

Needed = dict[str, set[Given]]
"""The keys of messages, each with the values that it is given, time and again."""
NOTHING: Given = frozenset()

IN_THE_SOURCE = ("rule-", "message-")
"""What stands in the source in English: the sentences of rules, why something is refused."""
OPTIONAL = ("refused-", "doing-", "said-")
"""What may be said in words of its own: without them the violation, or a command's name and fields, stand there."""
IN_ONE_LANGUAGE = ("readings", "also-", "said-")
"""What one language may need and another not."""
COMMANDS = 40


def catalogues_of(game: AnyGame) -> dict[str, Catalogue]:
    """Return the parsed catalogues of a game by language."""
    return {lang: catalogue_of(source_of(game.texts, lang)) for lang in languages_of(game.texts)}


def catalogues_agree(game: AnyGame) -> None:
    """Law 8: the languages have the same messages, and each message the same variables."""
    catalogues = catalogues_of(game)
    assert FALLBACK in catalogues, f"the package {game.texts} has no texts/{FALLBACK}.ftl"
    reference = catalogues[FALLBACK]
    for lang, other in catalogues.items():
        missing = [
            f"the message {key} is missing in {lang if key in reference else FALLBACK}.ftl"
            for key in sorted(reference.keys() ^ other.keys())
            if not key.startswith((*IN_THE_SOURCE, *IN_ONE_LANGUAGE))
        ]
        assert not missing, "; ".join(missing)
        for key in sorted(each for each in reference.keys() & other.keys() if not each.startswith(IN_ONE_LANGUAGE)):
            assert reference[key].variables == other[key].variables, (
                f"the message {key} uses {sorted(reference[key].variables)} in {FALLBACK}.ftl, "
                f"{sorted(other[key].variables)} in {lang}.ftl"
            )


def messages_are_there(game: AnyGame, needed: Needed) -> None:
    """Law 8: every language has the messages that are needed, and they use no value that they are not given."""
    catalogues = catalogues_of(game)
    missing = [
        f"{lang}.ftl has no message {key}"
        for lang, catalogue in catalogues.items()
        for key in needed
        if key not in catalogue and not key.startswith((*OPTIONAL, *(IN_THE_SOURCE if lang == FALLBACK else ())))
    ]
    assert not missing, "; ".join(missing)
    for lang, catalogue in catalogues.items():
        for key in needed.keys() & catalogue.keys():
            for given in needed[key]:
                strange = catalogue[key].used(given) - {name for name, _ in given}
                assert not strange, f"the message {key} in {lang}.ftl uses ${min(strange)}, which it is not given"


def needed_by_game(game: AnyGame) -> Needed:
    """Return what is needed whatever is played: the title, options, commands, rules, messages made in the source."""
    keys = ["game", *(f"command-{tag}" for tag in game.wire.values())]
    keys += [f"option-{field.name}" for field in attrs.fields(game.options)]
    keys += [f"rule-{rule.number}" for rule in game.book]
    return gathered(chain(((key, NOTHING) for key in keys), made_in_source(game.texts)))


def needed_by(match: Match[Any, Any, Any]) -> Needed:
    """Return what a match needs: its notes, refusals of commands at some of its states, and all labels."""
    return gathered(_needed(match))


def gathered(needs: Iterable[tuple[str, Given]]) -> Needed:
    """Gather what is needed by its keys."""
    needed: Needed = {}
    for key, given in needs:
        needed.setdefault(key, set()).add(given)
    return needed


def _needed(match: Match[Any, Any, Any]) -> Iterator[tuple[str, Given]]:
    for step in match.steps:
        if isinstance(step.command, FORMAT_COMMANDS):
            continue
        for viewer in (TABLE, None, *seats_of(match)):
            for note in step.notes_for(viewer):
                yield f"note-{note.key}", given_of(dict(note.values))
            yield from _of_redacted(match.game, step.command_for(viewer))
    for state in states_of(match):
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
        try:
            match.game.apply(state, seat, command)
        except RuleViolation as refused:
            yield from needed_by_refusal(refused)


def needed_by_case(game: AnyGame, case: Case) -> Iterator[tuple[str, Given]]:
    """Yield what the refusal of a case needs."""
    try:
        game.apply(case.state, case.seat, case.command)
    except RuleViolation as refused:
        yield from needed_by_refusal(refused)


def needed_by_refusal(refused: RuleViolation) -> Iterator[tuple[str, Given]]:
    """Yield what the refusal of a command needs: the messages of its rule, and that of each reason in its facts."""
    if not isinstance(refused.rule, TableRule):
        for kind in ("violation", "refused"):
            yield f"{kind}-{refused.rule.number}", given_of({"seat": refused.seat, **refused.facts})
    for value in refused.facts.values():
        yield from needed_by_message(value)


def needed_by_message(value: Any) -> Iterator[tuple[str, Given]]:
    """Yield what a message of the game's own needs, and those inside it; of any other value nothing."""
    if isinstance(value, Message) and value.package != Message.package:
        yield f"message-{value.key}", given_of(value.values)
        for each in value.values.values():
            yield from needed_by_message(each)


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
                yield from ((f"{kind}-{game.wire[type(command)]}", given) for kind in ("doing", "said"))
            for part in {part for command in legal for part in game.parts(command)} - lying:
                numbered = len(part) == 2 and isinstance(part[1], int)
                if numbered and part[0] != "seat":  # a seat has the name of whoever sits there
                    yield f"part-{part[0]}", given_of({"number": part[1]})
                elif not numbered:
                    yield button(part), NOTHING


def button(part: Part) -> str:
    """Return the message key of a part that lies nowhere: a button, or (of one name only) a field to type into."""
    return f"field-{part[0]}" if len(part) == 1 else "-".join(("part", *map(str, part)))
