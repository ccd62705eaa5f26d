"""The trees of a search: what was tried at a node, and what was thought of it."""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen


@define
class Edge:
    """One command at a node: its visits, the sum of their values, and the sum of its priors."""

    visits: int = 0
    total_value: float = 0.0
    prior: float = 0.0


@frozen
class Thought:
    """What a search thought of one command at its root."""

    command: Any
    visits: int
    """The iterations that tried it."""
    mean: float | None
    """The mean value to the seat over its visits, 0 to 1: half the victory, half the lead. None without a visit."""
    prior: float
    """Its part of the weights of all commands before the search, 0 to 1."""


@define
class Node:
    """What one seat has observed since the root: the commands tried there, and what it observed next."""

    visits: int = 0
    total_value: float = 0.0
    edges: dict[Any, Edge] = field(factory=dict)
    children: dict[Any, Node] = field(factory=dict)
