"""The shapes of responses, by which they are encoded and described in `/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from .shape_types import (
    Actor,
    Count,
    KeepsMomentary,
    Key,
    Labels,
    LocalizedText,
    MatchId,
    ProposalTarget,
    ResponseShape,
    Rule,
    SeatNumber,
    Status,
)
from .trust_shapes import Bytes, EndedResponse, Evidence, TrustResponse


class MapEntry(ResponseShape):
    """The keys, or the values, of an option that is a map."""

    kind: Literal["int", "text"]
    label: str


class OptionResponse(ResponseShape):
    """One option of a game."""

    name: str
    label: str
    kind: Annotated[
        str,
        Meta(description="`bool`, `int`, `seat` (its number, from 0), `text`, `choice`, `map` or `typed`."),
    ]
    default: Any
    choices: Annotated[list[Any] | UnsetType, Meta(description="Of a `choice`: texts, numbers, true and false.")] = (
        UNSET
    )
    typed: Annotated[
        str | UnsetType,
        Meta(description="Of a `typed` option: its default as a text, e.g. `1,2`."),
    ] = UNSET
    key: Annotated[MapEntry | UnsetType, Meta(description="Of a `map`.")] = UNSET
    value: Annotated[MapEntry | UnsetType, Meta(description="Of a `map`.")] = UNSET


class CommandSchema(ResponseShape):
    """One kind of command: its tag, its label, and the JSON schema of its fields."""

    tag: str
    label: str
    fields: dict[str, Any]


class GameResponse(ResponseShape):
    """A game that may be opened here."""

    game: str
    title: str
    designer: str
    rules_version: int
    seats: Annotated[list[int], Meta(description="The numbers of seats it can be played with.")]
    deals: Annotated[bool, Meta(description="False for a game without chance: there is no deal to be held fairly.")]
    options: list[OptionResponse]
    commands: list[CommandSchema]
    sections: Annotated[
        dict[str, str], Meta(description="By what begins there the heading of a section, `{number}` for its number.")
    ]
    rules: Annotated[dict[str, str], Meta(description="Every rule: its number and sentence.")]
    readings: Annotated[dict[str, str], Meta(description="The kana of difficult words.")]
    lesson: Annotated[LessonSummary | None, Meta(description="Null if the game has no lesson.")]


class LessonSummary(ResponseShape):
    """What a game is like, for people who choose one."""

    about: Annotated[str, Meta(description="Two sentences.")]
    minutes: Annotated[list[int], Meta(description="How long a match takes, least and most.")]
    difficulty: Annotated[int, Meta(description="1 (easy to learn) to 3.")]
    cards: Annotated[list[FaceResponse], Meta(description="Some of its cards, as a picture.")]


class LessonNote(ResponseShape):
    """What happened in an event of the example match."""

    seq: int
    rule: str | None
    text: str


class LessonBlock(ResponseShape):
    """A title or paragraph (`text`), list (`items`), cards (`faces`), table (`scene`) or some events (`notes`)."""

    kind: Annotated[str, Meta(description="`title`, `paragraph`, `items`, `cards`, `table` or `example`.")]
    text: str | UnsetType = UNSET
    items: list[str] | UnsetType = UNSET
    ordered: bool | UnsetType = UNSET
    faces: list[FaceResponse] | UnsetType = UNSET
    scene: SceneResponse | UnsetType = UNSET
    notes: list[LessonNote] | UnsetType = UNSET


class Lesson(ResponseShape):
    """How a game is played, for somebody who does not know it, with an example match."""

    seats: Annotated[list[str], Meta(description="The names of the seats of the example match.")]
    labels: Annotated[dict[str, str], Meta(description="The labels of all that its tables show, by message key.")]
    blocks: list[LessonBlock]


class BrokenGame(ResponseShape):
    """An installed game that cannot be used, and why."""

    game: str
    detail: str


class Games(ResponseShape):
    """The games that may be opened, and the bots."""

    games: list[GameResponse]
    broken: Annotated[list[BrokenGame], Meta(description="Installed games that cannot be used.")]
    bots: Annotated[list[str], Meta(description="The names of the bots that may take a seat.")]
    analysis: Annotated[bool, Meta(description="Whether matches that have ended can be analysed here.")]


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


class FaceResponse(ResponseShape):
    """What is printed on a card or (`piece`) on a round piece, and its tint."""

    text: str
    tint: str
    piece: bool


class ThingResponse(ResponseShape):
    """A card, a stack, a bundle or a piece; face down without faces, nothing at all if `count` is 0, too."""

    faces: list[FaceResponse]
    count: int
    part: list[str | int] | None
    marks: list[str]
    number: Annotated[int | None, Meta(description="By which texts call it, from 1; null if it has none.")]
    seat: Annotated[int | None, Meta(description="Who laid it, where its place does not say so: a card of a trick.")]


class FactResponse(ResponseShape):
    """A labelled value, `of` its maximum if it has one."""

    label: str
    value: int | str
    of: int | None


class BoardResponse(ResponseShape):
    """How the spaces of a board lie: their names row by row from the top, "" for a gap."""

    kind: Literal["grid", "hex", "track", "pits", "stack"]
    rows: list[list[str]]
    indents: Annotated[
        list[int], Meta(description="How far each row begins to the right, in halves of a space; empty if none does.")
    ]


class ZoneResponse(ResponseShape):
    """A labelled row of things, or a board with a thing for each space."""

    label: str
    things: list[ThingResponse]
    board: BoardResponse | None


class PlaceResponse(ResponseShape):
    """The place before a seat, or the middle of the table (`seat` null)."""

    seat: int | None
    zones: list[ZoneResponse]
    facts: list[FactResponse]
    marks: list[str]


class SceneResponse(ResponseShape):
    """The table as the viewer sees it: the middle, then every seat."""

    viewer: int | None
    table: PlaceResponse
    places: list[PlaceResponse]


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
    """What stands before each seat from a number of events on."""

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
