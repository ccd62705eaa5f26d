"""What goes over the wire, asked and answered: the same shapes are checked, sent and described in `/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

SeatNumber = Annotated[int, Meta(ge=0, le=15, description="A seat, 0 … n-1 clockwise.")]
Actor = Annotated[int, Meta(ge=-1, le=15, description="A seat; -1 is the table, which deals.")]
Count = Annotated[int, Meta(ge=0, le=2**31)]
ProposalTarget = Annotated[
    int,
    Meta(
        ge=-1,
        le=2**31,
        description="`take_back`: the last event that stays (-1: none). `fork`: how many events both have.",
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
MatchId = Annotated[str, Meta(min_length=1, max_length=64)]
Key = Annotated[str, Meta(description="Secret: whoever has it acts for the seat. It is told once and kept nowhere.")]
LocalizedText = Annotated[
    list[str | int],
    Meta(description="A text in pieces: words, and numbers of seats where their names stand."),
]
Rule = Annotated[str, Meta(description="The number of a rule, e.g. `TS-3`.")]
Status = Annotated[Literal["open", "going", "over", "abandoned"], Meta(description="`open`: seats are free.")]
Labels = Annotated[dict[str, str], Meta(description="Message keys of labels, and what they say in the language asked.")]


class _Request(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a request holds."""


class _Response(Struct, kw_only=True):
    """What an answer holds."""


# Asked


class SeatRequest(_Request):
    """Who sits at a seat of a new match: a player (`name`), a bot (`bot`), or, with neither, whoever joins."""

    name: Name | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class OpenRequest(_Request):
    """A new match."""

    game: Annotated[str, Meta(max_length=64, description="As `/api/games` lists it.")]
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=16)]
    options: Annotated[dict[str, Any], Meta(description="Those that are not the game's own choice.")] = {}
    public: Annotated[bool, Meta(description="Whether the lobby lists it.")] = False
    turn_limit_ms: Annotated[int, Meta(ge=1000, le=2_592_000_000, description="Milliseconds a turn.")] | None = None


class JoinRequest(_Request):
    """A player for a free seat."""

    name: Name
    seat: Annotated[SeatNumber | None, Meta(description="null: the first that is free.")] = None


class SubmitRequest(_Request):
    """A command of the seat whose key is given."""

    tag: Annotated[str, Meta(max_length=64)]
    fields: dict[str, Any]
    expected_events: Annotated[Count, Meta(description="How many events the seat had seen when it chose.")]
    idempotency_key: Annotated[
        str,
        Meta(
            pattern="^([0-9a-f]{2}){8,32}$",
            description="8 to 32 bytes in hex, chosen anew: the same again gives the first answer again.",
        ),
    ]


class ProposalRequest(_Request):
    """What one seat wishes and others must agree to."""

    kind: Literal["take_back", "fork", "abandon"]
    target: ProposalTarget = 0


class ProposalAnswer(_Request):
    """Whether the seat agrees to what another wishes."""

    accept: bool


class WatchRequest(_Request):
    """The first message of who watches: the key of the seat, or null to look on."""

    key: Annotated[str, Meta(max_length=128)] | None = None
    since: Annotated[Count, Meta(description="How many events have been seen already.")] = 0
    lang: Annotated[str, Meta(max_length=35)] = "en"


class LobbyQuery(_Request):
    """Which matches to list."""

    game: Annotated[str, Meta(max_length=64)] | None = None
    status: Status | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 30


class ObservationQuery(_Request):
    """After how many events to look, once the match is over; without it, now."""

    events: Count | None = None


class HistoryQuery(_Request):
    """From which event on."""

    since: Count = 0


class NoQuery(_Request):
    """No query."""


# Told


class MapEntry(_Response):
    """What the keys, or the values, of an option that is a map are."""

    kind: Literal["int", "text"]
    label: str


class OptionResponse(_Response):
    """One option of a game."""

    name: str
    label: str
    kind: Annotated[
        str,
        Meta(description="`bool`, `int`, `seat` (the number of one, from 0 on), `text`, `choice`, `map` or `other`."),
    ]
    default: Any
    choices: list[str] | UnsetType = UNSET
    key: Annotated[MapEntry | UnsetType, Meta(description="Of a `map`.")] = UNSET
    value: Annotated[MapEntry | UnsetType, Meta(description="Of a `map`.")] = UNSET


class CommandSchema(_Response):
    """One kind of command: its tag, what it is called, and the JSON schema of its fields."""

    tag: str
    label: str
    fields: dict[str, Any]


class GameResponse(_Response):
    """A game that can be played here."""

    game: str
    title: str
    designer: str
    rules_version: int
    seats: Annotated[list[int], Meta(description="The numbers of seats that it can be played with.")]
    options: list[OptionResponse]
    commands: list[CommandSchema]
    rules: Annotated[dict[str, str], Meta(description="Every rule: its number and sentence.")]
    readings: Annotated[dict[str, str], Meta(description="The kana of words that not everyone can read.")]


class Games(_Response):
    games: list[GameResponse]
    bots: Annotated[list[str], Meta(description="The names of bots that may sit at a seat.")]


class SeatResponse(_Response):
    """Who sits at a seat."""

    seat: SeatNumber
    name: Annotated[str | None, Meta(description="null: free")]
    bot: str | None = None


class ResultResponse(_Response):
    points: list[int]
    winners: list[SeatNumber]


class About(_Response):
    """What anyone may know of a match."""

    match: MatchId
    game: str
    title: str
    options: dict[str, Any]
    seats: list[SeatResponse]
    status: Status
    result: ResultResponse | None
    public: bool
    turn_limit_ms: Annotated[int | None, Meta(description="Milliseconds a turn.")]
    opened_at_ms: Annotated[int, Meta(description="Milliseconds since 1970, as `changed`.")]
    changed_at_ms: int


class Lobby(_Response):
    matches: list[About]


class KeyResponse(_Response):
    seat: SeatNumber
    key: Key


class OpenedMatch(_Response):
    """The new match, and the keys of the seats that have names."""

    match: MatchId
    keys: list[KeyResponse]


class JoinedSeat(_Response):
    """The seat, its key, and whether the match has begun with it."""

    seat: SeatNumber
    key: Key
    begun: bool


class LegalCommand(_Response):
    """A command that the seat may give now, as it is submitted."""

    tag: str
    fields: dict[str, Any]
    parts: Annotated[
        list[list[str | int]],
        Meta(description="The things of the scene, or the buttons and fields, that it names, in its order."),
    ]
    text: Annotated[str, Meta(description="In words; absent where there are very many.")] | UnsetType = UNSET


class FaceResponse(_Response):
    text: str
    tint: str


class ThingResponse(_Response):
    faces: list[FaceResponse]
    count: int
    part: list[str | int] | None
    marks: list[str]


class FactResponse(_Response):
    label: str
    value: int | str
    of: int | None


class ZoneResponse(_Response):
    label: str
    things: list[ThingResponse]


class PlaceResponse(_Response):
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
    """What a seat wishes that others must agree to."""

    number: Annotated[int, Meta(description="Who agrees says to which.")]
    kind: Literal["take_back", "fork", "abandon"]
    by: SeatNumber
    target: ProposalTarget
    accepted_by: list[SeatNumber]
    waiting_for: list[SeatNumber]
    state: Literal["pending", "accepted", "rejected", "expired"]
    fork: Annotated[MatchId | None, Meta(description="The match that came of it.")]


class Observation(_Response):
    """The match as one seat sees it."""

    match: MatchId
    seat: SeatNumber | None
    count: Count
    status: Status
    to_act: list[Actor]
    view: Annotated[Any, Meta(description="What the seat may look at, as the game has it; null while seats are free.")]
    scene: SceneResponse | None
    labels: Labels
    legal: list[LegalCommand]
    open_ended: Annotated[bool, Meta(description="Whether there are commands that `legal` does not list.")]
    result: ResultResponse | None
    deadline_at_ms: Annotated[int | None, Meta(description="When the turn ends, in milliseconds since 1970.")]
    absent: Annotated[list[SeatNumber], Meta(description="The seats for which the stand-in played last.")]
    proposals: list[ProposalResponse]


class NoteResponse(_Response):
    text: LocalizedText
    rule: Rule | None
    begins: Annotated[str | None, Meta(description="`deal`, `round`, `trick` or `turn`: what begins with it.")]


class HistoryEntry(_Response):
    """What one seat saw of one event."""

    seq: Count
    seat: Actor
    tag: str
    fields: dict[str, Any]
    redacted: Annotated[bool, Meta(description="Whether only the tag and public fields are told.")]
    notes: list[NoteResponse]
    elapsed_ms: Annotated[int | None, Meta(description="Milliseconds since the match began.")]
    actor: Annotated[str | None, Meta(description="Who acted for the seat, if not its player.")]


class History(_Response):
    events: list[HistoryEntry]
    count: Annotated[Count, Meta(description="From where to ask on; where `since` is beyond the end, the end.")]


class Receipt(_Response):
    """The command is taken: its number, and what of it its own seat is told."""

    seq: Count
    count: Count
    notes: list[NoteResponse]


class Health(_Response):
    status: Literal["ok"]


class Problem(_Response):
    """What was wrong, as RFC 9457 has it."""

    type: Annotated[str, Meta(description="`urn:kifu:problem:` and the kind, which programs go by.")]
    title: str
    status: int
    detail: str
    rule: Rule | UnsetType = UNSET
    facts: Annotated[dict[str, Any], Meta(description="What shows that the rule is broken.")] | UnsetType = UNSET
    count: Annotated[Count, Meta(description="How many events the match has now.")] | UnsetType = UNSET
    meanwhile: Annotated[list[HistoryEntry], Meta(description="What the seat saw happen meanwhile.")] | UnsetType = (
        UNSET
    )
