"""The shapes of a scene: the table as a viewer sees it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from .shape_types import ResponseShape


class FaceResponse(ResponseShape):
    """What is printed on a card, a round piece or a die, and its tint."""

    text: str
    tint: str
    shape: Literal["card", "piece", "die"]


class ThingResponse(ResponseShape):
    """A card, a stack, a bundle or a piece; face down without faces, nothing at all if `count` is 0, too."""

    faces: list[FaceResponse]
    count: int
    part: list[str | int] | None
    marks: list[str]
    number: Annotated[int | None, Meta(description="By which texts call it, from 1; null if it has none.")]
    seat: Annotated[int | None, Meta(description="Who laid it, where its place does not say so: a card of a trick.")]
    back: Annotated[Literal["card", "piece", "die"], Meta(description="What it is drawn as while no face shows.")]


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
    winding: Annotated[bool, Meta(description="Whether every other row of a track goes from the right to the left.")]


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
