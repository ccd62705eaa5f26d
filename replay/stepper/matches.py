"""The list of several matches, of which one is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from rich.text import Text

from ...core.errors import KifuError
from ...core.log import Reading
from ...core.match import AnyMatch
from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..call_errors import error_text
from ..logs.locations import Location, open_log
from .palette import FullScreen
from .panels import ChooseScreen

NAME_CELLS, WRONG_CELLS = 60, 120
Chosen = tuple[int, Reading, int | None]
"""The place of a log in the list, the log, and who looks at it."""


class MatchList(FullScreen[Chosen]):
    """The list of some logs, each read when it comes to its row; the result is the one that was chosen."""

    def __init__(
        self,
        places: Sequence[Location],
        viewer: Callable[[Reading], int | None],
        lang: str,
        at: int,
        rows: dict[int, str],
    ) -> None:
        super().__init__()
        self.places = places
        self.viewer = viewer
        self.texts = Texts(lang, "kifu.replay")
        self.at = at
        self.rows = rows
        """The rows that are known already, by place."""
        self.panel = self._panel()

    def on_mount(self) -> None:
        """Show the list, and read the logs for its rows."""
        self.push_screen(self.panel, self._choose)
        self.run_worker(self._read_rows())

    def _panel(self) -> ChooseScreen:
        count = self.texts.format("stepper-logs-keys", count=len(self.places))
        rows = [Text(self.rows.get(at) or self._file_name(at)) for at in range(len(self.places))]
        hint = self.texts.format("stepper-narrow")
        return ChooseScreen(self.texts.format("stepper-logs"), rows, at=self.at, hint=hint, more=count)

    def _choose(self, at: int | None) -> None:
        """Close the list with a log; one that cannot be opened is told in its row, and the list stays."""
        if at is None:
            self.exit()
            return
        try:
            reading, _ = open_log(self.places[at])
            self.exit((at, reading, self.viewer(reading)))
        except KifuError as error:
            self.at, self.rows[at] = at, self._wrong(at, error)
            self.panel = self._panel()
            self.push_screen(self.panel, self._choose)

    async def _read_rows(self) -> None:
        for at in range(len(self.places)):
            if at not in self.rows:
                self.rows[at] = await asyncio.to_thread(self._row, at)
                self.panel.replace(at, Text(self.rows[at]))

    def _row(self, at: int) -> str:
        """Return a row: the name, the game, the seats, the result and the length of a log."""
        try:
            _, match = open_log(self.places[at])
        except KifuError as error:
            return self._wrong(at, error)
        return " · ".join((self._file_name(at), *match_cells(match, self.texts)))

    def _wrong(self, at: int, error: KifuError) -> str:
        return f"{self._file_name(at)} · ✗ {sanitize(error_text(error, self.texts), WRONG_CELLS)}"

    def _file_name(self, at: int) -> str:
        return sanitize(self.places[at].name, NAME_CELLS)


def match_cells(match: AnyMatch, texts: Texts) -> list[str]:
    """Return the title of the game, the names of the seats, the result, and the number of steps, in words."""
    names, result, comma = match.header.seats, match.result, texts.comma
    if result is not None and result.is_draw:
        end = texts.format("match-draw")
    elif result is not None:
        winners = [f"★ {texts.seat(seat, names)}" for seat in result.winners]
        end = comma.join(winners) or texts.format("match-lost")
    else:
        end = texts.format("log-diff-abandoned" if match.abandoned else "match-goes-on")
    seats = comma.join(texts.seat(seat, names) for seat in range(len(names)))
    return [texts.title(match.game), seats, end, texts.format("match-steps", count=len(match.events))]
