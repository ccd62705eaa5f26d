"""Lists of a list that a line may part in two ways: `R Y and B` are three cards of one palace, or of two."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from typing import Any

import attrs

_JOINTS = frozenset(["and", "と", "&", "+", ",", "、", "\uff0c", ", and"])
"""What may stand between two lists, or between two items of one."""
_AGAIN = re.compile("の([一-鿿]{2,})[と、].*の\\1(?![0-9])")
"""A noun that is said of each: `緑の宮殿と青の宮殿`."""


def grouped_otherwise(line: str, command: Any, commands: Sequence[Any], faces: Mapping[str, Set[int]]) -> Any:
    """Return the command that the same cards give if each word between them parts lists, and blanks do not.

    None if the line has but one way to stand between two cards, or there is no such command, or no other.
    """
    nested = _nested(command)
    if len(nested) != 1 or "|" in line or "[" in line:
        return None
    face = "|".join(map(re.escape, sorted(faces, key=len, reverse=True)))
    found = list(re.finditer(rf"(?<![a-z0-9])(?:{face})(?![a-z0-9])", line.casefold()))
    between = [line[one.end() : other.start()].strip().casefold() for one, other in pairwise(found)]
    if "" not in between or not _JOINTS.issuperset(filter(None, between)) or not any(between):
        return None
    groups: list[list[int]] = [[]]
    for each, joint in zip(found, ["", *between], strict=True):
        if joint:
            groups.append([])
        groups[-1] += faces[each[0]]
    wanted = sorted(sorted(each) for each in groups)
    others = [each for each in commands if type(each) is type(command) and each != command]
    alike = [each for each in others if sorted(map(sorted, getattr(each, nested[0]))) == wanted]
    return alike[0] if alike else None


def says_several(line: str, command: Any) -> bool:
    """Return True if a line speaks of several lists, and its command has one: `build palaces G and B`."""
    nested = _nested(command)
    if len(nested) != 1 or len(getattr(command, nested[0])) > 1 or "[" in line:
        return False
    return _AGAIN.search(line) is not None or re.search(rf"(?i)\b{nested[0]}\b.*(?:\band\b|,|&)", line) is not None


def _nested(command: Any) -> list[str]:
    return [name for name, value in attrs.asdict(command, recurse=False).items() if _is_nested(value)]


def _is_nested(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and all(isinstance(each, tuple) for each in value)
