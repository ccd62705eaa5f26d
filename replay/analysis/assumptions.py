"""What an audit says of a log of which something is assumed: whether what happened was legal, for whatever deal."""

from __future__ import annotations

from typing import Any

from attrs import asdict

from ...core.log import Reading
from ...core.match.assumed import how_much
from ...core.match.reconstruction import NoDeal, search, told_in
from ...core.text.texts import Texts

TRIES = 2000
"""So many deals are tried where the assumed one does not allow what happened."""


def assumption(reading: Reading) -> dict[str, Any]:
    """Return the key `assumed` of `replay audit --json`; nothing for a log of which nothing is assumed.

    Takes a reading with its match. `deal` is `some` if the assumed deal allows all, `other` if another one does, `none`
    if none at all does, and `unfound` if none of the `tried` ones does.
    """
    match, header = reading.match, reading.header
    if match is None or header is None or not header.assumed:
        return {}
    events, refused = list(match.events), reading.refused
    deal, tried = "some", 0
    if refused is not None:
        events.append(refused)
        found = search(match.game, header, told_in(match.game, header.assumed, events), TRIES)
        deal = "other" if not isinstance(found, NoDeal) else "none" if found.is_all else "unfound"
        tried = found.tried if isinstance(found, NoDeal) else 0
    assumed = how_much(match.game, header.assumed, events)
    assert assumed is not None
    seq = None if refused is None else refused.seq
    return {"assumed": {**asdict(assumed), "deal": deal, "tried": tried, "seq": seq}}


def assumption_line(assumed: dict[str, Any], texts: Texts, *, ok: bool) -> str:
    """Say how much is assumed, and whether what happened was legal."""
    words = texts.format("assumed", **{key: assumed[key] for key in ("count", "of", "commands", "what")})
    if ok:
        return texts.format("audit-assumed", of=assumed["of"], assumed=words)
    if assumed["deal"] == "some":
        return words
    why = texts.format(f"audit-assumed-{assumed['deal']}", seq=assumed["seq"], tried=assumed["tried"])
    return f"{words}{texts.semicolon}{why}"
