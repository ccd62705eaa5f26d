"""The shapes of responses, by which they are encoded and described in `/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from .scene_shapes import FactResponse, SceneResponse
from .shape_types import (
    Actor,
    Count,
    KeepsMomentary,
    Key,
    Labels,
    LocalizedText,
    MatchId,
    Phrase,
    ProposalTarget,
    ResponseShape,
    Rule,
    SeatNumber,
    Status,
)
from .trust_shapes import Bytes, EndedResponse, Evidence, TrustResponse


class SeatResponse(ResponseShape):
    """A seat and its player or bot."""

    seat: SeatNumber
    name: Annotated[str | None, Meta(description="null: free")]
    bot: str | None = None


class ResultResponse(ResponseShape):
    """The points of each seat, the winners (all of a draw, nobody if all have lost), and each seat's team."""

    points: list[int]
    winners: list[SeatNumber]
    teams: Annotated[list[int], Meta(description="Empty if each seat plays for itself; one number for all together.")]


Stopped = Annotated[
    str | None,
    Meta(description="Why it takes no commands though its players did not end it, as after new rules; null in a list."),
]


class About(ResponseShape):
    """The public facts of a match."""

    match: MatchId
    game: str
    title: str
    options: dict[str, Any]
    seats: list[SeatResponse]
    status: Status
    result: ResultResponse | None
    public: bool
    turn_limit_ms: Annotated[int | None, Meta(description="Milliseconds that a player may take for a turn.")]
    fair: Annotated[bool, Meta(description="Whether the deals come of the secrets of all who join.")]
    trust: Annotated[
        TrustResponse | None,
        Meta(description="Keys, commitments and roster; null in a list, and for a match without marks."),
    ]
    stopped: Stopped
    keep_momentary_notes: KeepsMomentary
    opened_at_ms: Annotated[int, Meta(description="Milliseconds since the Unix epoch.")]
    changed_at_ms: Annotated[int, Meta(description="Milliseconds since the Unix epoch.")]
    to_act: Annotated[list[Actor] | None, Meta(description="Whose turn it is; null in a list, and from a socket.")] = (
        None
    )


class Lobby(ResponseShape):
    """Public matches, newest change first."""

    matches: list[About]


class KeyResponse(ResponseShape):
    """The key of a seat."""

    seat: SeatNumber
    key: Key


class OpenedMatch(ResponseShape):
    """The new match, and the keys of the seats that have names."""

    match: MatchId
    keys: list[KeyResponse]
    opener_key: Annotated[
        Key | None, Meta(description="Removes players before the match begins; null if it has begun.")
    ]
    trust: TrustResponse | None


class JoinedSeat(ResponseShape):
    """A seat that was taken, its key, and whether the match began with it."""

    seat: SeatNumber
    key: Key
    begun: bool


class LegalCommand(ResponseShape):
    """A legal command of the seat, as it is submitted."""

    tag: str
    fields: dict[str, Any]
    parts: Annotated[
        list[list[str | int]],
        Meta(description="The things of the scene, buttons and input fields that it names, in its order."),
    ]
    text: (
        Annotated[str, Meta(description="In words; left out if there are more than 64, unless `texts` asks.")]
        | UnsetType
    ) = UNSET


class Reaction(ResponseShape):
    """A phrase of a seat, for those who watch now."""

    seat: SeatNumber
    phrase: Phrase


class ProposalResponse(ResponseShape):
    """A proposal, and the seats that have accepted it."""

    number: Annotated[int, Meta(description="The number in the path of an answer.")]
    kind: Literal["take_back", "fork", "abandon"]
    by: SeatNumber
    target: ProposalTarget
    accepted_by: list[SeatNumber]
    waiting_for: list[SeatNumber]
    state: Literal["pending", "accepted", "rejected", "expired"]
    fork: Annotated[MatchId | None, Meta(description="The match that an accepted fork made.")]
    count: Annotated[Count, Meta(description="How many events there were when it was made.")]
    message: Annotated[Bytes | None, Meta(description="What the seat signs to consent; null if it signs nothing.")] = (
        None
    )


class Observation(Evidence, kw_only=True):
    """The match as one seat sees it."""

    match: MatchId
    seat: SeatNumber | None
    count: Count
    status: Status
    to_act: list[Actor]
    view: Annotated[Any, Meta(description="The game's view of the seat; null while seats are free.")]
    scene: SceneResponse | None
    labels: Labels
    legal: list[LegalCommand]
    open_ended: Annotated[bool, Meta(description="Whether there are commands that `legal` does not list.")]
    result: ResultResponse | None
    deadline_at_ms: Annotated[int | None, Meta(description="When the turn ends, in milliseconds since the Unix epoch.")]
    absent: Annotated[list[SeatNumber], Meta(description="The seats for which the stand-in played last.")]
    proposals: list[ProposalResponse]
    stopped: Stopped
    ended: Annotated[EndedResponse | UnsetType, Meta(description="The end, under its mark.")] = UNSET


class NoteResponse(ResponseShape):
    """What happened in an event, and by which rule."""

    text: LocalizedText
    rule: Rule | None
    begins: Annotated[str | None, Meta(description="`deal`, `round`, `trick` or `turn`: what begins with it.")]
    number: Annotated[int | None, Meta(description="Its number, where the note has one; else it is the next.")]
    momentary: (
        Annotated[
            bool,
            Meta(
                description="True: it may be looked at only once; take it away as soon as somebody acts again. "
                "Until the match has ended, the history has it no more then."
            ),
        ]
        | UnsetType
    ) = UNSET


class HistoryEntry(Evidence, kw_only=True):
    """One event as one seat saw it."""

    seq: Count
    seat: Actor
    tag: str
    fields: dict[str, Any]
    redacted: Annotated[bool, Meta(description="Whether `fields` has only the public ones.")]
    notes: list[NoteResponse]
    elapsed_ms: Annotated[int | None, Meta(description="Milliseconds since the match began.")]
    actor: Annotated[str | None, Meta(description="The bot or stand-in that acted for the seat; null: its player.")]


class History(ResponseShape):
    """A page of events as one seat saw them."""

    events: list[HistoryEntry]
    count: Annotated[Count, Meta(description="The `since` of the next request.")]
    has_more: Annotated[bool, Meta(description="Whether there are more events by now: the next page has them at once.")]
    ended: Annotated[EndedResponse | UnsetType, Meta(description="The end, under its mark.")] = UNSET


class ReceiptNote(ResponseShape):
    """What happened in the event of a command, as data; in words only if they were asked for."""

    key: Annotated[str, Meta(description="Which note of the game it is.")]
    values: dict[str, Any]
    rule: Rule | None
    text: LocalizedText | UnsetType = UNSET
    momentary: Annotated[bool, Meta(description="True: it may be looked at only once.")] | UnsetType = UNSET


class Receipt(ResponseShape):
    """The number of an accepted command's event, the count after it, and its notes for the seat."""

    seq: Count
    count: Count
    notes: list[ReceiptNote]
    mark: Annotated[Bytes | UnsetType, Meta(description="The mark after `count` events.")] = UNSET


class AnalysisRemark(ResponseShape):
    """What is to be said of one decision, from what its seat knew."""

    seq: int
    seat: SeatNumber
    swing: Annotated[bool, Meta(description="Whether it gave much away.")]
    turning_point: bool
    text: Annotated[list[str | int], Meta(description="In pieces; a number is a seat.")]


class Analysis(ResponseShape):
    """How far the analysis of a match has come."""

    state: Annotated[
        Literal["none", "waiting", "running", "done", "failed"],
        Meta(description="`none`: nobody has asked for it; `failed`: it can be asked for again."),
    ]
    done: Annotated[Count, Meta(description="The decisions that are analysed.")]
    of: Annotated[Count | None, Meta(description="The decisions in all, once that is known.")]
    remarks: Annotated[list[AnalysisRemark] | UnsetType, Meta(description="Once it is done.")] = UNSET


class ScoreChange(ResponseShape):
    """The facts of each seat, its score first, from a number of events on."""

    at: Annotated[Count, Meta(description="How many events had happened.")]
    seats: list[list[FactResponse]]


class Scores(ResponseShape):
    """What the seats of a match that has ended had, step by step."""

    count: Annotated[Count, Meta(description="The events of the match.")]
    begins: Annotated[
        dict[int, tuple[Literal["deal", "round", "trick", "turn"], int]],
        Meta(description="What an event begins, and its number: 1, 2, …"),
    ]
    changes: list[ScoreChange]
    labels: Annotated[dict[str, str], Meta(description="What the facts are called, by their labels.")]


class Health(ResponseShape):
    """The state of the server."""

    status: Literal["ok"]


class Ready(ResponseShape):
    """The state of a server that can do its work."""

    status: Literal["ok"]
    late_ms: Annotated[int, Meta(description="How late the work is that is due; of more than 10,000 it is not ready.")]
    open_files: Annotated[int | None, Meta(description="null: the system does not tell.")]


class Problem(ResponseShape):
    """An error, as in RFC 9457."""

    type: Annotated[str, Meta(description="`urn:kifu:problem:` and the kind of problem.")]
    title: str
    status: int
    detail: str
    rule: Rule | UnsetType = UNSET
    facts: Annotated[dict[str, Any], Meta(description="The values that show the violation.")] | UnsetType = UNSET
    count: Annotated[Count, Meta(description="How many events the match has now.")] | UnsetType = UNSET
    meanwhile: (
        Annotated[list[HistoryEntry], Meta(description="The events since, as the seat saw them.")] | UnsetType
    ) = UNSET
    mark: Annotated[Bytes | UnsetType, Meta(description="The mark after `count` events.")] = UNSET
