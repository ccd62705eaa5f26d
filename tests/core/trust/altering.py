"""One change at random somewhere within plain data."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any


def altered(value: Any, other: Callable[[Any, Random], Any], random: Random) -> Any:
    """Leave a part of a value out, put one in twice, swap two, or put an `other` in the place of one."""
    if isinstance(value, dict) and value:
        key = random.choice(list(value))
        changed = {name: each for name, each in value.items() if name != key}
        return changed if random.random() < 0.2 else {**value, key: altered(value[key], other, random)}
    if not isinstance(value, list) or not value:
        return other(value, random)
    at, to, new = random.randrange(len(value)), random.randrange(len(value)), list(value)
    match random.randrange(8):
        case 0:
            del new[at]
        case 1:
            new.insert(to, deepcopy(new[at]))
        case 2:
            new[at], new[to] = new[to], new[at]
        case _:
            new[at] = altered(new[at], other, random)
    return new
