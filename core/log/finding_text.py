"""A finding as text, for one viewer."""

from __future__ import annotations

from ..game import TABLE, Seat
from ..match import AnyMatch
from ..text.sanitize import sanitize
from ..text.texts import Names, Texts
from .findings import Finding


def finding_message(finding: Finding, match: AnyMatch, viewer: Seat | None, texts: Texts, names: Names = None) -> str:
    """Format a finding; for one seat with the rule alone, since the facts may be another seat's secret."""
    game, why = match.game, sanitize(texts.message(finding.message), 400)
    if viewer != TABLE:
        why = texts.rule(game.rule(finding.rule), game) if finding.rule else ""
    elif finding.violation is not None:
        why = texts.violation(finding.violation, game, names or match.header.seats)
    where = texts.format("at-event", seq=finding.seq) if finding.seq is not None else ""
    kind = texts.format(f"finding-{finding.kind}")
    return f"{where}{kind}{f' {finding.rule}' if finding.rule else ''}{texts.colon + why if why else ''}"
