"""The shapes of what is told of games: their options, commands and rules, and how they are played."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from .scene_shapes import FaceResponse, SceneResponse
from .shape_types import ResponseShape


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
