"""`replay rate`: the ratings of the players, from the logs alone."""

from __future__ import annotations

from rich.text import Text

from ..command import FINE, UNUSABLE, verb
from ..logs.locations import SkippedLog, match_of, require_logs
from ..options import logs_argument, output_options
from ..progress import progress_bar
from ..render.console import Output
from ..render.verdict import left_out_line
from ..tournament.ratings import Ratings, bots_of, deal_of


@verb("replay rate logs/ --json")
@logs_argument
@output_options
def rate(logs: tuple[str, ...], output: Output) -> int:
    """Rate the players of the matches in these logs, by their names in `meta.by`.

    One Bradley-Terry fit over all matches, in Elo points, with 95 % intervals by bootstrap over deals: the order of the
    logs does not matter. A match is left out if it is damaged, has no result, or has a seat without a name.
    Exit code 0: all logs were read; 2: a file is not a log or cannot be read.
    """
    texts, writer, ratings = output.texts, output.writer, Ratings()
    left_out, unusable = 0, list[Text]()
    found = require_logs(logs)
    for where in progress_bar(found, "rate", len(found), shown=output.shows_bar):
        match = match_of(where)
        if not isinstance(match, SkippedLog):
            bots = bots_of(match)
            left_out += bots is None or not ratings.add(bots, match.result, deal_of(match.header))
        elif match.unusable:
            unusable.append(left_out_line(where, match.why, texts))
        else:
            left_out += 1
    if output.json:
        writer.json({"ratings": ratings.data(), "left_out": left_out + len(unusable)})
    else:
        writer.print(*ratings.lines(texts))
        if left_out:
            writer.print(texts.format("rating-left-out", count=left_out))
        writer.print(*unusable)
    return UNUSABLE if unusable else FINE
