"""Presenters: what the host returns, as response shapes in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from msgspec import UNSET, Struct

from ..errors import Message
from ..game import AnyGame, Note, Part, RedactedCommand, RuleViolation, Scene, Seat
from ..host import About, Ending, HistoryEntry, Observation, Proposal, TrustStatus
from ..stores import FINISHED
from ..text.languages import Languages
from ..text.sanitize import sanitize
from ..text.texts import Texts
from ..trust.seat_record import Entry
from ..wire import plain, wire_of
from . import request_shapes, response_shapes
from .http_codec import build_types, encode_bytes
from .response_shapes import AgreedResponse, EndedResponse, FailedAttempt, SeatTrustResponse, TrustResponse

A = TypeVar("A", bound=Struct)
TERMS = ("public", "turn_limit_ms", "keep_momentary_notes", "fair")
"""The terms of a match that are told."""


def as_json(value: Any) -> Any:
    """Return a value of a host's as JSON has it: bytes in base64url, the members of a set in order."""
    if isinstance(value, bytes):
        return encode_bytes(value)
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


def shaped(shape: type[A], value: object, **more: Any) -> A:
    """Return a response of this shape: what is given, and else what a host's value has under the same name."""
    names = [name for name in shape.__struct_fields__ if name not in more and hasattr(value, name)]
    return shape(**{name: as_json(getattr(value, name)) for name in names}, **more)


def trust_response(status: TrustStatus) -> TrustResponse:
    """Return what is public of the trust in a match."""
    seats = [shaped(SeatTrustResponse, seat) for seat in status.seats]
    past = [FailedAttempt(roster=encode_bytes(roster), refused=list(refused)) for roster, refused in status.past]
    return shaped(TrustResponse, status, seats=seats, past=past)


def evidence(told: Entry | None) -> dict[str, Any]:
    """Return the members of a response that say under which mark it was told; unset for a match without marks."""
    names = ("told", "salt", "mark", "sig")
    return {name: UNSET if told is None else as_json(getattr(told, name)) for name in names}


def ended_response(ending: Ending) -> EndedResponse:
    """Return what a seat is told of the end."""
    agreed = ending.agreed
    proposals = [] if agreed is None else [shaped(AgreedResponse, agreed, moment=agreed.number)]
    return shaped(EndedResponse, ending.told, proposals=proposals)


def proposal_response(proposal: Proposal, message: bytes | None = None) -> response_shapes.ProposalResponse:
    """Return a proposal; the match of a fork only once the proposal is accepted.

    `message` is what the seat that asks signs to consent.
    """
    fork = proposal.fork if proposal.status == "accepted" else None
    return shaped(response_shapes.ProposalResponse, proposal, fork=fork, message=as_json(message))


build_types(request_shapes, response_shapes)

MAX_STOPPED = 300
"""The most characters of why a match has stopped."""
LEGAL_PAGE = 200
"""The most legal commands that are presented at a time."""
MAX_TEXTS = 64
"""Legal commands have texts only if there are no more of their kind than this."""


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
        """The texts of the web in this language."""
        return Texts(self._lang, __package__)

    @cached_property
    def _languages(self) -> Languages:
        return Languages(self.game, self.names, (self._lang,))

    def about(self, *, whose_turn: bool = False) -> response_shapes.About:
        """Return the public facts of the match; with `whose_turn`, the seats that are to act too."""
        about = self._about
        bots = about.terms.bots
        seats = enumerate(about.seats)
        return shaped(
            response_shapes.About,
            about,
            title=self.texts.title(self.game),
            options=plain(dict(about.options)),
            seats=[
                response_shapes.SeatResponse(
                    seat=seat, name=name and self.texts.seat(seat, self.names), bot=bots.get(Seat(seat))
                )
                for seat, name in seats
            ],
            **{name: getattr(about.terms, name) for name in TERMS},
            trust=None if about.trust is None else trust_response(about.trust),
            stopped=self._stopped(about.stopped),
            to_act=sorted(about.to_act or ()) if whose_turn else None,
        )

    def observation(
        self, match: str, observation: Observation, texts: bool = False, legal_from: int = 0
    ) -> response_shapes.Observation:
        """Return an observation, with a page of the legal commands, and the labels of all that it shows.

        With `texts`, a long list has its texts too.
        """
        page = observation.legal[legal_from : legal_from + LEGAL_PAGE]
        kinds = Counter(map(type, observation.legal))
        legal = self.legal(page, {kind for kind, count in kinds.items() if texts or count <= MAX_TEXTS})
        labels = {key: self.texts.label(key, self.game) for key in sorted(scene_keys(observation.scene, legal))}
        return shaped(
            response_shapes.Observation,
            observation,
            match=match,
            view=plain(observation.view),
            labels=labels | self._prompts(legal),
            legal=legal,
            legal_count=len(observation.legal),
            open_ended=observation.open_ended or observation.has_more,
            proposals=[proposal_response(proposal) for proposal in observation.proposals],
            stopped=self._stopped(observation.stopped),
            **evidence(observation.told()),
        )

    def legal(self, commands: Iterable[Any], told: Container[type]) -> list[response_shapes.LegalCommand]:
        """Return legal commands with the things of the scene that they name, and those of the kinds told in words."""
        return [
            response_shapes.LegalCommand(
                **self.game.to_json(command),
                parts=[list(part) for part in self.game.parts(command)],
                text=self.texts.command(command, self.game, self.names) if type(command) in told else UNSET,
            )
            for command in commands
        ]

    def history(self, entries: Iterable[HistoryEntry]) -> list[response_shapes.HistoryEntry]:
        """Return history entries; an event without notes has its command in words as its only note."""
        return [self._history_entry(each) for each in entries]

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
        tag, fields = wire_of(self.game).observed(command)
        notes = [self._note(note) for note in entry.notes]
        if not notes:
            text = self._languages.command(entry.seat, command)[0]
            notes = [response_shapes.NoteResponse(text=text, rule=None, begins=None, number=None)]
        parts = {"tag": tag, "fields": plain(fields), "redacted": redacted, "notes": notes}
        return shaped(response_shapes.HistoryEntry, entry, **parts, **evidence(entry.told()))

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


def _number(note: Note) -> int | None:
    """Return the number of the section that begins with a note, where the note has it."""
    number = None if note.begins is None else dict(note.values).get(note.begins.value)
    return number if isinstance(number, int) else None


def scene_keys(scene: Scene | None, legal: Sequence[response_shapes.LegalCommand]) -> Iterator[str]:
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
