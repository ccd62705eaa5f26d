"""The shapes of requests and responses, by which both are checked and described in `/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from .trust_shapes import Bytes, EndedResponse, Evidence, Signature, TrustResponse

SeatNumber = Annotated[int, Meta(ge=0, le=15, description="A seat, 0 … n-1 clockwise.")]
Actor = Annotated[int, Meta(ge=-1, le=15, description="A seat; -1 is the table, which deals.")]
Count = Annotated[int, Meta(ge=0, le=2**31)]
ProposalTarget = Annotated[
    int,
    Meta(
        ge=-1,
        le=2**31,
        description="`take_back`: the last event kept (-1: none). `fork`: how many events both matches share.",
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
MatchId = Annotated[str, Meta(min_length=1, max_length=64)]
Key = Annotated[
    str, Meta(description="Secret: whoever has it acts for the seat. Returned once; only its hash is stored.")
]
LocalizedText = Annotated[
    list[str | int],
    Meta(description="A text in pieces: strings, and the numbers of seats where their names belong."),
]
Rule = Annotated[str, Meta(description="The number of a rule, e.g. `TS-3`.")]
Status = Annotated[Literal["open", "going", "over", "abandoned"], Meta(description="`open`: seats are free.")]
KeepsMomentary = Annotated[
    bool,
    Meta(description="Whether notes of what may be looked at only once stay in the history: an aid to memory."),
]
Labels = Annotated[dict[str, str], Meta(description="Labels by message key, in the client's language.")]


class _Request(Struct, kw_only=True, forbid_unknown_fields=True):
    """A request's body, query or message; unknown fields are refused."""


class _Response(Struct, kw_only=True):
    """A response's body, or a part of it."""


# Requests


class SeatRequest(_Request):
    """A seat of a new match: a player (`name`), a bot (`bot`), or free if neither is given."""

    name: Name | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class OpenRequest(_Request):
    """A new match."""

    game: Annotated[str, Meta(max_length=64, description="As `/api/games` lists it.")]
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=16)]
    options: Annotated[dict[str, Any], Meta(description="The options that differ from their defaults.")] = {}
    public: Annotated[bool, Meta(description="Whether the lobby lists it.")] = False
    turn_limit_ms: (
        Annotated[int, Meta(ge=1000, le=2_592_000_000, description="Milliseconds that a player may take for a turn.")]
        | None
    ) = None
    bot_delay_ms: Annotated[int, Meta(ge=0, le=60_000, description="Milliseconds that a bot waits before it acts.")] = (
        1000
    )
    keep_momentary_notes: KeepsMomentary = False
    fair: Annotated[bool, Meta(description="Whether the deals come of the secrets of all who join.")] = False
    reveal_ms: Annotated[
        int, Meta(ge=1000, le=86_400_000, description="Milliseconds to reveal a secret, or to commit anew.")
    ] = 60_000


class JoinRequest(_Request):
    """A player for a free seat."""

    name: Name
    seat: Annotated[SeatNumber | None, Meta(description="null: the first that is free; required for a fair deal.")] = (
        None
    )
    commitment: Annotated[Bytes | None, Meta(description="To the seat's secret; required for a fair deal.")] = None
    public_key: Annotated[Bytes | None, Meta(description="The key (Ed25519) under which the seat signs.")] = None


class SubmitRequest(_Request):
    """A command of the seat that the key opens."""

    tag: Annotated[str, Meta(max_length=64)]
    fields: dict[str, Any]
    expected_events: Annotated[Count, Meta(description="The `count` of the observation it was chosen from.")]
    idempotency_key: Annotated[
        str,
        Meta(
            pattern="^([0-9a-f]{2}){8,32}$",
            description="8 to 32 random bytes in hex. The same key again returns the first receipt.",
        ),
    ]
    sig: Signature = None


class ProposalRequest(_Request):
    """What a seat proposes."""

    kind: Literal["take_back", "fork", "abandon"]
    target: ProposalTarget = 0
    sig: Signature = None


class ProposalAnswer(_Request):
    """Whether the seat accepts or rejects a proposal; its own it withdraws with false."""

    accept: bool
    sig: Signature = None


class WatchRequest(_Request):
    """The first message of a watcher: the key of its seat, null for a spectator."""

    key: Annotated[str, Meta(max_length=128)] | None = None
    since: Annotated[Count, Meta(description="The first event to be sent.")] = 0
    lang: Annotated[str, Meta(max_length=35)] = "en"


class LobbyQuery(_Request):
    """Which matches to list."""

    game: Annotated[str, Meta(max_length=64)] | None = None
    status: Status | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 30


class ObservationQuery(_Request):
    """The number of events after which to observe, once the match is over; now by default."""

    events: Count | None = None
    texts: Annotated[bool, Meta(description="Whether all legal commands have their `text`, however many.")] = False


class HistoryQuery(_Request):
    """The first event to be returned, and how long to wait for one."""

    since: Count = 0
    wait_ms: Annotated[
        int, Meta(ge=0, le=50_000, description="Milliseconds to wait for an event; at once if the match has ended.")
    ] = 0


class NoQuery(_Request):
    """No query."""


# Responses


class MapEntry(_Response):
    """The keys, or the values, of an option that is a map."""

    kind: Literal["int", "text"]
    label: str


class OptionResponse(_Response):
    """One option of a game."""

    name: str
    label: str
    kind: Annotated[
        str,
        Meta(description="`bool`, `int`, `seat` (its number, from 0), `text`, `choice`, `map` or `other`."),
    ]
    default: Any
    choices: list[str] | UnsetType = UNSET
    key: Annotated[MapEntry | UnsetType, Meta(description="Of a `map`.")] = UNSET
    value: Annotated[MapEntry | UnsetType, Meta(description="Of a `map`.")] = UNSET


class CommandSchema(_Response):
    """One kind of command: its tag, its label, and the JSON schema of its fields."""

    tag: str
    label: str
    fields: dict[str, Any]


class GameResponse(_Response):
    """A game that may be opened here."""

    game: str
    title: str
    designer: str
    rules_version: int
    seats: Annotated[list[int], Meta(description="The numbers of seats it can be played with.")]
    options: list[OptionResponse]
    commands: list[CommandSchema]
    sections: Annotated[
        dict[str, str], Meta(description="By what begins there the heading of a section, `{number}` for its number.")
    ]
    rules: Annotated[dict[str, str], Meta(description="Every rule: its number and sentence.")]
    readings: Annotated[dict[str, str], Meta(description="The kana of difficult words.")]
    lesson: Annotated[LessonSummary | None, Meta(description="Null if the game has no lesson.")]


class LessonSummary(_Response):
    """What a game is like, for people who choose one."""

    about: Annotated[str, Meta(description="Two sentences.")]
    minutes: Annotated[list[int], Meta(description="How long a match takes, least and most.")]
    difficulty: Annotated[int, Meta(description="1 (easy to learn) to 3.")]
    cards: Annotated[list[FaceResponse], Meta(description="Some of its cards, as a picture.")]


class LessonNote(_Response):
    """What happened in an event of the example match."""

    seq: int
    rule: str | None
    text: str


class LessonBlock(_Response):
    """A title or paragraph (`text`), list (`items`), cards (`faces`), table (`scene`) or some events (`notes`)."""

    kind: Annotated[str, Meta(description="`title`, `paragraph`, `items`, `cards`, `table` or `example`.")]
    text: str | UnsetType = UNSET
    items: list[str] | UnsetType = UNSET
    ordered: bool | UnsetType = UNSET
    faces: list[FaceResponse] | UnsetType = UNSET
    scene: SceneResponse | UnsetType = UNSET
    notes: list[LessonNote] | UnsetType = UNSET


class Lesson(_Response):
    """How a game is played, for somebody who does not know it, with an example match."""

    seats: Annotated[list[str], Meta(description="The names of the seats of the example match.")]
    labels: Annotated[dict[str, str], Meta(description="The labels of all that its tables show, by message key.")]
    blocks: list[LessonBlock]


class BrokenGame(_Response):
    """An installed game that cannot be used, and why."""

    game: str
    detail: str


class Games(_Response):
    """The games that may be opened, and the bots."""

    games: list[GameResponse]
    broken: Annotated[list[BrokenGame], Meta(description="Installed games that cannot be used.")]
    bots: Annotated[list[str], Meta(description="The names of the bots that may take a seat.")]
    analysis: Annotated[bool, Meta(description="Whether matches that have ended can be analysed here.")]


class SeatResponse(_Response):
    """A seat and its player or bot."""

    seat: SeatNumber
    name: Annotated[str | None, Meta(description="null: free")]
    bot: str | None = None


class ResultResponse(_Response):
    """The points of each seat, and the winners."""

    points: list[int]
    winners: list[SeatNumber]


Stopped = Annotated[
    str | None,
    Meta(description="Why it takes no commands though its players did not end it, as after new rules; null in a list."),
]


class About(_Response):
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


class Lobby(_Response):
    """Public matches, newest change first."""

    matches: list[About]


class KeyResponse(_Response):
    """The key of a seat."""

    seat: SeatNumber
    key: Key


class OpenedMatch(_Response):
    """The new match, and the keys of the seats that have names."""

    match: MatchId
    keys: list[KeyResponse]
    opener_key: Annotated[
        Key | None, Meta(description="Removes players before the match begins; null if it has begun.")
    ]
    trust: TrustResponse | None


class JoinedSeat(_Response):
    """A seat that was taken, its key, and whether the match began with it."""

    seat: SeatNumber
    key: Key
    begun: bool


class LegalCommand(_Response):
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


class FaceResponse(_Response):
    """What is printed on a card, and its tint."""

    text: str
    tint: str


class ThingResponse(_Response):
    """A card, a stack or a bundle; without faces it lies face down."""

    faces: list[FaceResponse]
    count: int
    part: list[str | int] | None
    marks: list[str]
    number: Annotated[int | None, Meta(description="By which texts call it, from 1; null if it has none.")]


class FactResponse(_Response):
    """A labelled value, `of` its maximum if it has one."""

    label: str
    value: int | str
    of: int | None


class ZoneResponse(_Response):
    """A labelled row of things."""

    label: str
    things: list[ThingResponse]


class PlaceResponse(_Response):
    """The place before a seat, or the middle of the table (`seat` null)."""

    seat: int | None
    zones: list[ZoneResponse]
    facts: list[FactResponse]
    marks: list[str]


class SceneResponse(_Response):
    """The table as the viewer sees it: the middle, then every seat."""

    viewer: int | None
    table: PlaceResponse
    places: list[PlaceResponse]


class ProposalResponse(_Response):
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


class NoteResponse(_Response):
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


class History(_Response):
    """Events as one seat saw them."""

    events: list[HistoryEntry]
    count: Annotated[Count, Meta(description="The `since` of the next request.")]
    ended: Annotated[EndedResponse | UnsetType, Meta(description="The end, under its mark.")] = UNSET


class Receipt(_Response):
    """The number of an accepted command's event, the count after it, and its notes for the seat."""

    seq: Count
    count: Count
    notes: list[NoteResponse]
    mark: Annotated[Bytes | UnsetType, Meta(description="The mark after `count` events.")] = UNSET


class AnalysisRemark(_Response):
    """What is to be said of one decision, from what its seat knew."""

    seq: int
    seat: SeatNumber
    swing: Annotated[bool, Meta(description="Whether it gave much away.")]
    turning_point: bool
    text: Annotated[list[str | int], Meta(description="In pieces; a number is a seat.")]


class Analysis(_Response):
    """How far the analysis of a match has come."""

    state: Annotated[
        Literal["none", "waiting", "running", "done", "failed"],
        Meta(description="`none`: nobody has asked for it; `failed`: it can be asked for again."),
    ]
    done: Annotated[Count, Meta(description="The decisions that are analysed.")]
    of: Annotated[Count | None, Meta(description="The decisions in all, once that is known.")]
    remarks: Annotated[list[AnalysisRemark] | UnsetType, Meta(description="Once it is done.")] = UNSET


class Health(_Response):
    """The state of the server."""

    status: Literal["ok"]


class Ready(_Response):
    """The state of a server that can do its work."""

    status: Literal["ok"]
    late_ms: Annotated[int, Meta(description="How late the work is that is due; of more than 10,000 it is not ready.")]
    open_files: Annotated[int | None, Meta(description="null: the system does not tell.")]


class Problem(_Response):
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
