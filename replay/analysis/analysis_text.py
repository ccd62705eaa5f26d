"""An analysis in words: what one decision cost, and which decisions were the turning points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.game import AnyGame
from ...core.page.remarks import Remark
from ...core.text.languages import Languages
from ...core.text.texts import Texts
from ...core.wire import wire_of
from .analysis_file import Line

TURNING_POINTS = 6
"""The most turning points that are listed."""
PACKAGE = "kifu.replay"
"""The package whose catalogues have the messages of an analysis."""


def turning_points(lines: Sequence[Line]) -> list[Line]:
    """Return the decisions that gave away the most, at most `TURNING_POINTS`, in the order of the match."""
    swings = sorted((line for line in lines if line.get("swing")), key=lambda line: -line["value_loss"][0])
    return sorted(swings[:TURNING_POINTS], key=lambda line: line["seq"])


def reasons(line: Line, texts: Texts, game: AnyGame, names: Sequence[str]) -> list[str]:
    """Return what a decision cost its seat, a sentence each; the last word is the chance where nothing was better."""
    if not line["pairs"]:
        return [texts.format("analyse-not-compared")]
    best, played = line["best"], line["played"]
    if not line["swing"] and line["value_loss"][1] <= 0:  # it may as well be the best
        return [texts.format("analyse-none-better", played=percent(played["chance"]))]
    command = command_text(best, texts, game, names)
    chances = {"best": percent(best["chance"]), "played": percent(played["chance"])}
    said = [texts.format(f"analyse-reason-{'chance' if gain(line) else 'lead'}", command=command, **chances)]
    if best["points"] is not None and played["points"] is not None and best["points"] > played["points"]:
        points = {"best": f"{best['points']:.1f}", "played": f"{played['points']:.1f}"}
        said.append(texts.format("analyse-reason-points", seat=texts.seat(line["seat"], names), **points))
    return said


def remarks(lines: Sequence[Line], game: AnyGame, names: Sequence[str], langs: Sequence[str]) -> list[Remark]:
    """Return the lines as remarks for a page, in these languages."""
    languages = Languages(game, names, langs, PACKAGE)
    turning = {line["seq"] for line in turning_points(lines)}

    def text(line: Line) -> list[Any]:
        return languages.format(lambda texts, marks: " ".join(reasons(line, texts, game, marks)))

    return [
        Remark(line["seq"], line["seat"], bool(line.get("swing")), line["seq"] in turning, text(line)) for line in lines
    ]


def command_text(data: Line, texts: Texts, game: AnyGame, names: Sequence[str]) -> str:
    """Format the command of a line (`tag` and `fields`)."""
    return texts.command(wire_of(game).decode(data["tag"], data["fields"]), game, names)


def percent(part: float) -> str:
    """Format a part of 1 in hundredths."""
    return f"{100 * part:.0f} %"


def gain(line: Line) -> int:
    """Return how many hundredths more often the best command wins, by the chances as they are printed; not below 0."""
    best, played = (round(100 * float(line[each]["chance"])) for each in ("best", "played"))
    return max(0, best - played)
