"""The logs of one call of `replay show`: which of them is open, and what stands in the list of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define, field

from ...core.errors import KifuError
from ...core.game import Seat
from ...core.log import Reading
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..call_errors import error_text
from ..logs.locations import Location
from ..logs.open_log import open_log
from ..render.match_cells import match_cells

Viewer = Callable[[Reading], Seat | None]
"""Returns who looks at a log; raises `CallError` for a seat that it has not."""


@define(eq=False)
class Shelf:
    """Some logs, of which one is open."""

    places: Sequence[Location]
    viewer: Viewer
    at: int = 0
    _rows: dict[tuple[int, str], str] = field(factory=dict)

    def __len__(self) -> int:
        return len(self.places)

    def open(self, at: int) -> tuple[Reading, Seat | None]:
        """Read the log at a place and return it with its viewer; raises `KifuError`."""
        reading = open_log(self.places[at])
        return reading, self.viewer(reading)

    def label(self, texts: Texts) -> str:
        """Return which log is open: its name, and its number among them all; "" if it is the only one."""
        if len(self) < 2:
            return ""
        name = sanitize(self.places[self.at].name, 60)
        return texts.format("stepper-log-of", name=name, number=self.at + 1, count=len(self))

    def row(self, at: int, texts: Texts) -> str:
        """Return a line of the list: the name, the game, the seats, the result and the length of a log."""
        key = at, texts.lang
        if key not in self._rows:
            self._rows[key] = " · ".join((sanitize(self.places[at].name, 60), *self._parts(at, texts)))
        return self._rows[key]

    def _parts(self, at: int, texts: Texts) -> list[str]:
        try:
            match = open_log(self.places[at]).match
        except KifuError as error:
            return [f"✗ {sanitize(error_text(error, texts), 120)}"]
        assert match is not None
        return match_cells(match, texts)
