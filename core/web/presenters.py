"""Presenters: what the host returns, as response shapes in one language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import attrs
import msgspec
from msgspec import UNSET

from ..errors import Message
from ..game import AnyGame, Note, Part, RedactedCommand, Result, RuleViolation, Scene, Seat, SectionKind
from ..host import About, HistoryEntry, Observation, Proposal, Receipt
from ..page.lesson import Lesson, Table, lesson, lesson_data
from ..stores import FINISHED
from ..text.languages import Languages
from ..text.sanitize import sanitize
from ..text.texts import Texts
from ..wire import plain, wire_of
from . import game_shapes, request_shapes, response_shapes, scene_shapes, trust_shapes
from .http_codec import build_types
from .options import option_responses
from .trust_presenter import evidence, trust_response
from .trust_shapes import encode_bytes

build_types(game_shapes, request_shapes, response_shapes, scene_shapes, trust_shapes)

MAX_STOPPED = 300
"""The most characters of why a match has stopped."""
MAX_TEXTS = 64
"""Legal commands have texts only if there are no more than this."""


class MatchPresenter:
    """Presents one match in one language."""

    def __init__(self, game: AnyGame, about: About, lang: str) -> None:
        self.game = game
        self.names = [name or "" for name in about.seats]
        self._lang = lang
        self._about = about
        self._keeps_momentary = about.terms.keep_momentary_notes or about.status in FINISHED

    @cached_property
    def texts(self) -> Texts:
        """The texts of the web in this language; a receipt without words asks for none."""
        return Texts(self._lang, __package__)

    @cached_property
    def _languages(self) -> Languages:
        return Languages(self.game, self.names, (self._lang,))

    def about(self, *, whose_turn: bool = False) -> response_shapes.About:
        """Return the public facts of the match; with `whose_turn`, the seats that are to act too."""
        about = self._about
        bots = about.terms.bots
        seats = enumerate(about.seats)
        return response_shapes.About(
            match=about.match,
            game=about.game,
            title=self.texts.title(self.game),
            options=plain(dict(about.options)),
            seats=[
                response_shapes.SeatResponse(
                    seat=seat, name=name and self.texts.seat(seat, self.names), bot=bots.get(Seat(seat))
                )
                for seat, name in seats
            ],
            status=about.status,  # type: ignore[arg-type]
            result=_result(about.result),
            public=about.terms.public,
            turn_limit_ms=about.terms.turn_limit_ms,
            keep_momentary_notes=about.terms.keep_momentary_notes,
            fair=about.terms.fair,
            trust=None if about.trust is None else trust_response(about.trust),
            stopped=self._stopped(about.stopped),
            opened_at_ms=about.opened_at_ms,
            changed_at_ms=about.changed_at_ms,
            to_act=sorted(about.to_act or ()) if whose_turn else None,
        )

    def observation(self, match: str, observation: Observation, texts: bool = False) -> response_shapes.Observation:
        """Return an observation, with the labels of all that it shows; with `texts`, a long list has its texts too."""
        wire = wire_of(self.game)
        has_texts = texts or len(observation.legal) <= MAX_TEXTS
        legal = [
            response_shapes.LegalCommand(
                tag=wire.tag(command),
                fields=plain(wire.encode(command)[1]),
                parts=[list(part) for part in self.game.parts(command)],
                text=self.texts.command(command, self.game, self.names) if has_texts else UNSET,
            )
            for command in observation.legal
        ]
        return response_shapes.Observation(
            match=match,
            seat=observation.seat,
            count=observation.count,
            status=observation.status,  # type: ignore[arg-type]
            to_act=sorted(observation.to_act),
            view=plain(observation.view),
            scene=None if observation.scene is None else _scene(observation.scene),
            labels={key: self._label(key) for key in sorted(_keys(observation.scene, legal))} | self._prompts(legal),
            legal=legal,
            open_ended=observation.open_ended or observation.has_more,
            result=_result(observation.result),
            deadline_at_ms=observation.deadline_at_ms,
            absent=sorted(observation.absent),
            proposals=[self.proposal(proposal) for proposal in observation.proposals],
            stopped=self._stopped(observation.stopped),
            **evidence(observation.told()),
        )

    def history(self, entries: Iterable[HistoryEntry]) -> list[response_shapes.HistoryEntry]:
        """Return history entries; an event without notes has its command in words as its only note."""
        return [self._history_entry(each) for each in entries]

    def receipt(self, receipt: Receipt, *, texts: bool = False) -> response_shapes.Receipt:
        """Return a receipt, with its notes as data, and with `texts` also in words."""
        notes = [self._receipt_note(note, texts=texts) for note in receipt.notes]
        mark = UNSET if receipt.mark is None else encode_bytes(receipt.mark)
        return response_shapes.Receipt(seq=receipt.seq, count=receipt.count, notes=notes, mark=mark)

    def proposal(self, proposal: Proposal, message: bytes | None = None) -> response_shapes.ProposalResponse:
        """Return a proposal; the match of a fork only once the proposal is accepted.

        `message` is what the seat that asks signs to consent.
        """
        return response_shapes.ProposalResponse(
            number=proposal.number,
            kind=proposal.kind,
            by=proposal.by,
            target=proposal.target,
            accepted_by=list(proposal.accepted_by),
            waiting_for=list(proposal.waiting_for),
            state=proposal.state,
            fork=proposal.fork if proposal.state == "accepted" else None,
            count=proposal.count,
            message=None if message is None else encode_bytes(message),
        )

    def violation(self, violation: RuleViolation) -> dict[str, Any]:
        """Return the members of a problem response about a broken rule."""
        return {
            "detail": self.texts.refusal(violation, self.game, self.names),
            "rule": violation.rule.number,
            "facts": plain(violation.facts),
        }

    def _history_entry(self, entry: HistoryEntry) -> response_shapes.HistoryEntry:
        command = entry.command
        redacted = isinstance(command, RedactedCommand)
        tag, fields = (
            (command.tag, dict(command.fields))
            if isinstance(command, RedactedCommand)
            else wire_of(self.game).encode(command)
        )
        notes = [self._note(note) for note in entry.notes]
        if not notes:
            text = self._languages.command(entry.seat, command)[0]
            notes = [response_shapes.NoteResponse(text=text, rule=None, begins=None, number=None)]
        return response_shapes.HistoryEntry(
            seq=entry.seq,
            seat=entry.seat,
            tag=tag,
            fields=plain(fields),
            redacted=redacted,
            notes=notes,
            elapsed_ms=entry.elapsed_ms,
            actor=entry.actor,
            **evidence(entry.told()),
        )

    def _receipt_note(self, note: Note, *, texts: bool) -> response_shapes.ReceiptNote:
        return response_shapes.ReceiptNote(
            key=note.key,
            values=plain(dict(note.values)),
            rule=note.rule.number if note.rule is not None else None,
            text=self._languages.note(note)[0] if texts else UNSET,
            momentary=UNSET if self._keeps_momentary else note.momentary or UNSET,
        )

    def _note(self, note: Note) -> response_shapes.NoteResponse:
        return response_shapes.NoteResponse(
            text=self._languages.note(note)[0],
            rule=note.rule.number if note.rule is not None else None,
            begins=note.begins.value if note.begins is not None else None,
            number=_number(note),
            momentary=UNSET if self._keeps_momentary else note.momentary or UNSET,
        )

    def _stopped(self, why: Message | None) -> str | None:
        return None if why is None else sanitize(self.texts.message(why), MAX_STOPPED)

    def _prompts(self, legal: Sequence[response_shapes.LegalCommand]) -> dict[str, str]:
        """Return what a game says where the parts of a command go to the seats in their order, for the page to fill."""
        keys = {f"{kind}-{each.tag}" for each in legal for kind in ("choosing", "chosen")}
        values = {"seat": "{seat}", "part": "{part}"}
        found = {key: self.texts.find(key, self.game, **values) for key in sorted(keys)}
        return {key: text for key, text in found.items() if text is not None}

    def _label(self, key: str) -> str:
        return self.texts.label(key, self.game)


def game_response(game: AnyGame, lang: str) -> game_shapes.GameResponse:
    """Return what is the same for every match of a game, in one language."""
    texts = Texts(lang, __package__)
    return game_shapes.GameResponse(
        game=game.name,
        title=texts.title(game),
        designer=texts.find("designer", game) or "",
        rules_version=game.rules,
        seats=list(game.seats),
        deals=game.has_deal,
        options=option_responses(game, texts),
        commands=[
            game_shapes.CommandSchema(tag=tag, label=texts.label(f"command-{tag}", game), fields=fields_of(kind))
            for kind, tag in game.wire.items()
        ],
        sections={kind.value: texts.section(kind.value, "{number}", game) for kind in SectionKind},
        rules={rule.number: texts.rule(rule, game) for rule in game.book},
        readings=texts.readings(game),
        lesson=_lesson_summary(lesson(game, lang)),
    )


def lesson_response(game: AnyGame, lang: str) -> game_shapes.Lesson | None:
    """Return how a game is played, in one language; None if it has no lesson."""
    found = lesson(game, lang)
    if found is None:
        return None
    texts = Texts(lang, __package__)
    scenes = [block.scene for block in found.blocks if isinstance(block, Table)]
    labels = {key: texts.label(key, game) for scene in scenes for key in _keys(scene, ())}
    data = lesson_data(found)
    return msgspec.convert({"seats": data["seats"], "labels": labels, "blocks": data["blocks"]}, game_shapes.Lesson)


def _lesson_summary(found: Lesson | None) -> game_shapes.LessonSummary | None:
    if found is None:
        return None
    data = lesson_data(found)
    wanted = {name: data[name] for name in ("about", "minutes", "difficulty", "cards")}
    return msgspec.convert(wanted, game_shapes.LessonSummary)


def fields_of(command: type) -> dict[str, Any]:
    """Return the JSON schema of a command's fields; that of any object if JSON lacks one of their types."""
    try:
        _, components = msgspec.json.schema_components([command])
        (schema,) = components.values()
    except (TypeError, ValueError):
        return {"type": "object"}
    fields = attrs.fields(attrs.resolve_types(command))
    maps = {field.name: {"type": "object"} for field in fields if field.metadata.get("wire") == "map"}
    properties = {**schema.get("properties", {}), **maps}
    return {"type": "object", "properties": properties, "required": schema.get("required", [])}


def _number(note: Note) -> int | None:
    """Return the number of the section that begins with a note, where the note has it."""
    number = None if note.begins is None else dict(note.values).get(note.begins.value)
    return number if isinstance(number, int) else None


def _result(result: Result | None) -> response_shapes.ResultResponse | None:
    if result is None:
        return None
    points, winners, teams = map(list, (result.points, result.winners, result.teams))
    return response_shapes.ResultResponse(points=points, winners=winners, teams=teams)


def _scene(scene: Scene) -> scene_shapes.SceneResponse:
    return msgspec.convert(plain(scene), scene_shapes.SceneResponse)


def _keys(scene: Scene | None, legal: Sequence[response_shapes.LegalCommand]) -> Iterator[str]:
    """Yield the message keys of all labels: on the table, on buttons and before input fields."""
    if scene is None:
        return
    yield from scene.labels()
    lying = {thing.part for thing in scene.things()}
    for command in legal:
        for part in map(tuple, command.parts):
            if part not in lying and not _is_seat(part):
                yield _button(part)


def _is_seat(part: Part) -> bool:
    """Return True for a part that is a seat by its number: its button has the name of whoever sits there."""
    return len(part) == 2 and part[0] == "seat" and isinstance(part[1], int)


def _button(part: Part) -> str:
    return f"field-{part[0]}" if len(part) == 1 else "-".join(("part", *map(str, part)))
