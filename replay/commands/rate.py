"""`replay rate`: the ratings of the players, from the logs alone."""

from __future__ import annotations

from rich.text import Text

from ...core.errors import LogError
from ...core.log import Reading
from ..logs.locations import Location, reading_of, require_logs
from ..options import JsonOption, LangOption, LogsArgument, PlainOption, texts_for
from ..progress import progress_bar
from ..render.console import ConsoleWriter
from ..render.left_out import left_out_line
from ..tournament.ratings import Ratings, bots_of, deal_of

FINE, UNUSABLE = 0, 2


def rate(logs: LogsArgument, lang: LangOption = None, json: JsonOption = False, plain: PlainOption = False) -> int:
    """Rate the players of the matches in these logs, by their names in `meta.by`.

    One Bradley-Terry fit over all matches, in Elo points, with 95 % intervals by bootstrap over deals: the order of the
    logs does not matter. A match is left out if it is damaged, has no result, or has a seat without a name.
    Exit code 0: all logs were read; 2: a file is no log or cannot be read.
    """
    texts, writer, ratings = texts_for(lang), ConsoleWriter(plain=plain), Ratings()
    left_out, unusable = 0, list[Text]()
    found = require_logs(logs)
    for where in progress_bar(found, "rate", len(found), shown=not (plain or (json and writer.is_terminal))):
        try:
            reading = _log(where)
        except LogError as cause:
            unusable.append(left_out_line(where, cause.message, texts))
            continue
        bots = bots_of(reading.match) if reading.match is not None and reading.ok else None
        if bots is None or reading.header is None:
            left_out += 1
        else:
            left_out += not ratings.add(bots, reading.result, deal_of(reading.header))
    if json:
        writer.json({"ratings": ratings.data(), "left_out": left_out + len(unusable)})
    else:
        writer.print(*ratings.lines(texts))
        if left_out:
            writer.print(texts.format("rating-left-out", count=left_out))
        writer.print(*unusable)
    return UNUSABLE if unusable else FINE


def _log(where: Location) -> Reading:
    """Read a log; raises `LogError` if the file is none or cannot be read."""
    reading = reading_of(where)
    if reading.header is None:
        raise reading.error()
    return reading
