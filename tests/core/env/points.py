"""Values that stand in views and in commands of the tests: an enum, and an object that has one."""

from enum import Enum

import attrs


class Way(Enum):
    UP = "up"
    DOWN = "down"


@attrs.frozen
class Point:
    row: int
    way: Way
