"""The shapes of responses, by which they are encoded and described in `/openapi.json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ..game import Face, Result, Scene

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


class ResponseShape(Struct, kw_only=True):
    """A response's body, or a part of it."""


Bytes = Annotated[
    str, Meta(pattern="^[A-Za-z0-9_-]*$", max_length=8192, description="Bytes, in base64url without `=`.")
]
Signature = Annotated[Bytes | None, Meta(description="What the seat signed, by its key; required if the seat signs.")]
Attempt = Annotated[int, Meta(ge=1, le=8)]


class SeatTrustResponse(ResponseShape):
    """What is public of one seat."""

    who: Annotated[int | None, Meta(description="0: joined with a commitment, 1: named by the opener, 2: a bot.")]
    commitment: Bytes | None
    revealed: bool
    key: Annotated[Bytes | None, Meta(description="Its public key (Ed25519).")]
    signs: Annotated[bool, Meta(description="Whether its commands must be signed.")]


class FailedAttempt(ResponseShape):
    """An attempt that failed: the digest of its roster, and the seats that refused."""

    roster: Bytes
    refused: list[int]


class TrustResponse(ResponseShape):
    """What anybody may know of the trust in a match."""

    phase: Literal["joining", "revealing", "renewing", "dealt", "failed"]
    attempt: Annotated[int, Meta(ge=0, le=8, description="0 without a fair deal.")]
    host: Annotated[Bytes | None, Meta(description="The host's commitment.")]
    veil: Annotated[Bytes, Meta(description="The commitment to the veil.")]
    host_key: Annotated[Bytes | None, Meta(description="The host's public key (Ed25519).")]
    deadline_at_ms: Annotated[int | None, Meta(description="When the attempt fails, in ms since the Unix epoch.")]
    seats: list[SeatTrustResponse]
    past: list[FailedAttempt]
    roster: Annotated[Bytes | None, Meta(description="The roster, once it is fixed.")]
    roster_sig: Bytes | None
    shared: Annotated[
        int, Meta(ge=0, description="How many first events a fork shares with its parent, in whose log they are bound.")
    ]


class FairResponse(ResponseShape):
    """How a fair deal stands; after a reveal with the host's receipt, null if it has no key."""

    trust: TrustResponse
    receipt: Bytes | UnsetType | None = UNSET


class Evidence(ResponseShape):
    """What was told, as bytes, under a mark; left out for a match without marks."""

    told: Bytes | UnsetType = UNSET
    salt: Bytes | UnsetType = UNSET
    mark: Bytes | UnsetType = UNSET
    sig: Annotated[Bytes | UnsetType | None, Meta(description="The host's signature; null without a key.")] = UNSET


class AgreedResponse(ResponseShape):
    """The proposal that ended the match, with the signatures of all: `told` for a record's entry of kind 3."""

    moment: int
    told: Bytes
    mark: Bytes


class EndedResponse(ResponseShape):
    """What is told of the end: `number` is how many events there were."""

    number: int
    told: Bytes
    salt: Bytes
    mark: Bytes
    sig: Bytes | None
    proposals: list[AgreedResponse]


class OptionResponse(ResponseShape):
    """One option of a game."""

    name: str
    label: str
    kind: Annotated[
        str,
        Meta(description="`bool`, `int`, `seat` (its number, from 0), `text`, `choice` or `typed`."),
    ]
    default: Any
    suggested: Annotated[Any | UnsetType, Meta(description="What a form begins with, where it is not the default.")] = (
        UNSET
    )
    choices: Annotated[list[Any] | UnsetType, Meta(description="Of a `choice`: texts, numbers, true and false.")] = (
        UNSET
    )
    choice_labels: Annotated[list[str] | UnsetType, Meta(description="The choices in words.")] = UNSET
    typed: Annotated[
        str | UnsetType,
        Meta(description="Of a `typed` option: its default as a text, e.g. `1,2` or `4:2,5:3`."),
    ] = UNSET


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
    secrets: Annotated[bool, Meta(description="False for a game in which all see everything.")]
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
    cards: Annotated[list[Face], Meta(description="Some of its cards, as a picture.")]


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
    faces: list[Face] | UnsetType = UNSET
    scene: Scene | UnsetType = UNSET
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


Stopped = Annotated[
    str | None,
    Meta(description="Why it takes no commands though its players did not end it, as after new rules; null in a list."),
]


Closed = Annotated[
    bool, Meta(description="True: it has ended; log, page and analysis stay closed while a match of its cards goes on.")
]


class About(ResponseShape):
    """The public facts of a match."""

    match: MatchId
    game: str
    title: str
    options: dict[str, Any]
    seats: list[SeatResponse]
    status: Status
    result: Result | None
    public: bool
    turn_limit_ms: Annotated[int | None, Meta(description="Milliseconds that a player may take for a turn.")]
    fair: Annotated[bool, Meta(description="Whether the deals come of the secrets of all who join.")]
    trust: Annotated[
        TrustResponse | None,
        Meta(description="Keys, commitments and roster; null in a list, and for a match without marks."),
    ]
    stopped: Stopped
    closed: Closed
    keep_momentary_notes: KeepsMomentary
    opened_at_ms: Annotated[int, Meta(description="Milliseconds since the Unix epoch.")]
    changed_at_ms: Annotated[int, Meta(description="Milliseconds since the Unix epoch.")]
    to_act: Annotated[list[Actor] | None, Meta(description="Whose turn it is; null in a list, and in a stream.")] = None


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
    text: Annotated[
        str | UnsetType, Meta(description="In words; left out of a kind with more than 64, unless `texts` asks.")
    ] = UNSET


class ProposalResponse(ResponseShape):
    """A proposal, and the seats that have accepted it."""

    number: Annotated[int, Meta(description="The number in the path of an answer.")]
    kind: Literal["take_back", "fork", "abandon"]
    by: SeatNumber
    target: ProposalTarget
    accepted_by: list[SeatNumber]
    waiting_for: list[SeatNumber]
    status: Literal["pending", "accepted", "rejected", "expired"]
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
    scene: Scene | None
    labels: Labels
    legal: Annotated[list[LegalCommand], Meta(description="A page of them, from `legal_from` on.")]
    legal_count: Annotated[int, Meta(description="How many there are in all: the next page has others.")]
    open_ended: Annotated[bool, Meta(description="Whether there are commands that `legal` does not list.")]
    result: Result | None
    deadline_at_ms: Annotated[int | None, Meta(description="When the turn ends, in milliseconds since the Unix epoch.")]
    absent: Annotated[list[SeatNumber], Meta(description="The seats for which the stand-in played last.")]
    proposals: list[ProposalResponse]
    stopped: Stopped
    looked_again: Annotated[
        list[SeatNumber],
        Meta(description="At the end: the seats that a takeback has shown once more what they may look at only once."),
    ]
    closed: Closed = False
    undoes_to: Annotated[
        int | None, Meta(description="The target of a takeback of the seat's last command; null: none is left.")
    ]
    ended: Annotated[EndedResponse | UnsetType, Meta(description="The end, under its mark.")] = UNSET


class NoteResponse(ResponseShape):
    """What happened in an event, and by which rule."""

    text: LocalizedText
    rule: Rule | None
    begins: Annotated[str | None, Meta(description="`deal`, `round`, `trick` or `turn`: what begins with it.")]
    number: Annotated[int | None, Meta(description="Its number, where the note has one; else it is the next.")]
    momentary: Annotated[
        bool | UnsetType,
        Meta(
            description="True: it may be looked at only once; take it away as soon as somebody acts again. "
            "Until the match has ended, the history has it no more then."
        ),
    ] = UNSET


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


class Receipt(ResponseShape):
    """The number of an accepted command's event, and the count after it."""

    seq: Count
    count: Count
    mark: Annotated[Bytes | None, Meta(description="The mark after `count` events; null for a match without marks.")]


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


class ScoreRow(ResponseShape):
    """A row of a score sheet."""

    at: Annotated[Count, Meta(description="How many events had happened.")]
    label: str
    values: Annotated[list[int | None], Meta(description="Of each seat.")]
    best: Annotated[list[int], Meta(description="The seats that lead in it.")]


class Scores(ResponseShape):
    """The score sheet of a match that has ended."""

    rows: list[ScoreRow]


class Health(ResponseShape):
    """The state of the server."""

    status: Literal["ok"]


class Ready(ResponseShape):
    """The state of a server that can do its work."""

    status: Literal["ok"]
    late_ms: Annotated[int, Meta(description="How late the work is that is due; of more than 10,000 it is not ready.")]
    clock_off_ms: Annotated[
        int, Meta(description="How far the machine's clock is ahead of the store's, by which turns are judged.")
    ]
    epoch: Annotated[str, Meta(description="Another one once the store was restored from a backup.")]


class Problem(ResponseShape):
    """An error, as in RFC 9457."""

    type: Annotated[str, Meta(description="`urn:kifu:problem:` and the kind of problem.")]
    title: str
    status: int
    detail: str
    rule: Rule | UnsetType = UNSET
    facts: Annotated[dict[str, Any] | UnsetType, Meta(description="The values that show the violation.")] = UNSET
    count: Annotated[Count | UnsetType, Meta(description="How many events the match has now.")] = UNSET
    meanwhile: Annotated[
        list[HistoryEntry] | UnsetType, Meta(description="The events since, as the seat saw them.")
    ] = UNSET
    mark: Annotated[Bytes | UnsetType, Meta(description="The mark after `count` events.")] = UNSET
