"""What goes over the wire, asked and answered: the same shapes are checked, sent and described in `/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

SeatNumber = Annotated[int, Meta(ge=0, le=15, description="A seat, 0 … n-1 clockwise.")]
Actor = Annotated[int, Meta(ge=-1, le=15, description="A seat; -1 is the table, which deals.")]
Count = Annotated[int, Meta(ge=0, le=2**31)]
WishedAt = Annotated[
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
Said = Annotated[
    list[str | int],
    Meta(description="A text in pieces: words, and numbers of seats where their names stand."),
]
Rule = Annotated[str, Meta(description="The number of a rule, e.g. `TS-3`.")]
Status = Annotated[Literal["open", "going", "over", "abandoned"], Meta(description="`open`: seats are free.")]
Words = Annotated[dict[str, str], Meta(description="Message keys of labels, and what they say in the language asked.")]


class _Asked(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a request holds."""


class _Told(Struct, kw_only=True):
    """What an answer holds."""


# Asked


class Chair(_Asked):
    """Who sits at a seat of a new match: a player (`name`), a bot (`bot`), or, with neither, whoever joins."""

    name: Name | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=64)] | None = None


class Open(_Asked):
    """A new match."""

    game: Annotated[str, Meta(max_length=64, description="As `/api/games` lists it.")]
    seats: Annotated[list[Chair], Meta(min_length=1, max_length=16)]
    options: Annotated[dict[str, Any], Meta(description="Those that are not the game's own choice.")] = {}
    public: Annotated[bool, Meta(description="Whether the lobby lists it.")] = False
    limit: Annotated[int, Meta(ge=1000, le=2_592_000_000, description="Milliseconds a turn.")] | None = None


class Join(_Asked):
    """A player for a free seat."""

    name: Name
    seat: Annotated[SeatNumber | None, Meta(description="null: the first that is free.")] = None


class Submit(_Asked):
    """A command of the seat whose key is given."""

    tag: Annotated[str, Meta(max_length=64)]
    fields: dict[str, Any]
    at: Annotated[Count, Meta(description="How many events the seat had seen when it chose.")]
    id: Annotated[
        str,
        Meta(
            pattern="^([0-9a-f]{2}){8,32}$",
            description="8 to 32 bytes in hex, chosen anew: the same again gives the first answer again.",
        ),
    ]


class Ask(_Asked):
    """What one seat wishes and others must agree to."""

    kind: Literal["take_back", "fork", "abandon"]
    at: WishedAt = 0


class Answer(_Asked):
    """Whether the seat agrees to what another wishes."""

    agree: bool


class Hello(_Asked):
    """The first message of who watches: the key of the seat, or null to look on."""

    key: Annotated[str, Meta(max_length=128)] | None = None
    since: Annotated[Count, Meta(description="How many events have been seen already.")] = 0
    lang: Annotated[str, Meta(max_length=35)] = "en"


class LobbyAsked(_Asked):
    """Which matches to list."""

    game: Annotated[str, Meta(max_length=64)] | None = None
    status: Status | None = None
    limit: Annotated[int, Meta(ge=1, le=100)] = 30


class LookAsked(_Asked):
    """After how many events to look, once the match is over; without it, now."""

    at: Count | None = None


class SeenAsked(_Asked):
    """From which event on."""

    since: Count = 0


class Nothing(_Asked):
    """No query."""


# Told


class Entry(_Told):
    """What the keys, or the values, of an option that is a map are."""

    kind: Literal["int", "text"]
    label: str


class Choice(_Told):
    """One option of a game."""

    name: str
    label: str
    kind: Annotated[
        str,
        Meta(description="`bool`, `int`, `seat` (the number of one, from 0 on), `text`, `choice`, `map` or `other`."),
    ]
    default: Any
    choices: list[str] | UnsetType = UNSET
    key: Annotated[Entry | UnsetType, Meta(description="Of a `map`.")] = UNSET
    value: Annotated[Entry | UnsetType, Meta(description="Of a `map`.")] = UNSET


class CommandShape(_Told):
    """One kind of command: its tag, what it is called, and the JSON schema of its fields."""

    tag: str
    label: str
    fields: dict[str, Any]


class GameTold(_Told):
    """A game that can be played here."""

    game: str
    title: str
    designer: str
    rules_version: int
    seats: Annotated[list[int], Meta(description="The numbers of seats that it can be played with.")]
    options: list[Choice]
    commands: list[CommandShape]
    rules: Annotated[dict[str, str], Meta(description="Every rule: its number and sentence.")]
    readings: Annotated[dict[str, str], Meta(description="The kana of words that not everyone can read.")]


class Games(_Told):
    games: list[GameTold]
    bots: Annotated[list[str], Meta(description="The names of bots that may sit at a seat.")]


class SeatTold(_Told):
    """Who sits at a seat."""

    seat: SeatNumber
    name: Annotated[str | None, Meta(description="null: free")]
    bot: str | None = None


class ResultTold(_Told):
    points: list[int]
    winners: list[SeatNumber]


class About(_Told):
    """What anyone may know of a match."""

    match: MatchId
    game: str
    title: str
    options: dict[str, Any]
    seats: list[SeatTold]
    status: Status
    result: ResultTold | None
    public: bool
    limit: Annotated[int | None, Meta(description="Milliseconds a turn.")]
    opened: Annotated[int, Meta(description="Milliseconds since 1970, as `changed`.")]
    changed: int


class Lobby(_Told):
    matches: list[About]


class KeyTold(_Told):
    seat: SeatNumber
    key: Key


class Opened(_Told):
    """The new match, and the keys of the seats that have names."""

    match: MatchId
    keys: list[KeyTold]


class Joined(_Told):
    """The seat, its key, and whether the match has begun with it."""

    seat: SeatNumber
    key: Key
    begun: bool


class Legal(_Told):
    """A command that the seat may give now, as it is submitted."""

    tag: str
    fields: dict[str, Any]
    parts: Annotated[
        list[list[str | int]],
        Meta(description="The things of the scene, or the buttons and fields, that it names, in its order."),
    ]
    said: Annotated[str, Meta(description="In words; absent where there are very many.")] | UnsetType = UNSET


class FaceTold(_Told):
    text: str
    tint: str


class ThingTold(_Told):
    faces: list[FaceTold]
    count: int
    part: list[str | int] | None
    marks: list[str]


class FactTold(_Told):
    label: str
    value: int | str
    of: int | None


class ZoneTold(_Told):
    label: str
    things: list[ThingTold]


class PlaceTold(_Told):
    seat: int | None
    zones: list[ZoneTold]
    facts: list[FactTold]
    marks: list[str]


class SceneTold(_Told):
    """The table as the viewer sees it: the middle, then every seat."""

    viewer: int | None
    table: PlaceTold
    places: list[PlaceTold]


class WishTold(_Told):
    """What a seat wishes that others must agree to."""

    number: Annotated[int, Meta(description="Who agrees says to which.")]
    kind: Literal["take_back", "fork", "abandon"]
    by: SeatNumber
    at: WishedAt
    agreed: list[SeatNumber]
    waits_for: list[SeatNumber]
    state: Literal["pending", "done", "refused", "lapsed"]
    fork: Annotated[MatchId | None, Meta(description="The match that came of it.")]


class Look(_Told):
    """The match as one seat sees it."""

    match: MatchId
    seat: SeatNumber | None
    count: Count
    status: Status
    to_act: list[Actor]
    view: Annotated[Any, Meta(description="What the seat may look at, as the game has it; null while seats are free.")]
    scene: SceneTold | None
    words: Words
    legal: list[Legal]
    more: Annotated[bool, Meta(description="Whether there are commands that `legal` does not list.")]
    result: ResultTold | None
    deadline: Annotated[int | None, Meta(description="When the turn ends, in milliseconds since 1970.")]
    absent: Annotated[list[SeatNumber], Meta(description="The seats for which the stand-in played last.")]
    wishes: list[WishTold]


class NoteTold(_Told):
    said: Said
    rule: Rule | None
    begins: Annotated[str | None, Meta(description="`deal`, `round`, `trick` or `turn`: what begins with it.")]


class Seen(_Told):
    """What one seat saw of one event."""

    seq: Count
    seat: Actor
    tag: str
    fields: dict[str, Any]
    hidden: Annotated[bool, Meta(description="Whether only the tag and public fields are told.")]
    notes: list[NoteTold]
    at: Annotated[int | None, Meta(description="Milliseconds since the match began.")]
    by: Annotated[str | None, Meta(description="Who acted for the seat, if not its player.")]


class SeenSince(_Told):
    seen: list[Seen]
    count: Annotated[Count, Meta(description="From where to ask on; where `since` is beyond the end, the end.")]


class Receipt(_Told):
    """The command is taken: its number, and what of it its own seat is told."""

    seq: Count
    count: Count
    notes: list[NoteTold]


class Health(_Told):
    status: Literal["ok"]


class Problem(_Told):
    """What was wrong, as RFC 9457 has it."""

    type: Annotated[str, Meta(description="`urn:kifu:problem:` and the kind, which programs go by.")]
    title: str
    status: int
    detail: str
    rule: Rule | UnsetType = UNSET
    facts: Annotated[dict[str, Any], Meta(description="What shows that the rule is broken.")] | UnsetType = UNSET
    count: Annotated[Count, Meta(description="How many events the match has now.")] | UnsetType = UNSET
    meanwhile: Annotated[list[Seen], Meta(description="What the seat saw happen meanwhile.")] | UnsetType = UNSET
