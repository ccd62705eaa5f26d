"""A fair deal without a host: three commit, compare the roster and reveal; one keeps a seat record.

The program that holds the ceremony knows the deals.
"""

from pathlib import Path
from secrets import token_bytes

import kifu
from kifu.core.log import log_bytes
from kifu.core.log.writer import log_objects
from kifu.core.trust import records
from kifu.core.trust.ceremony import Ceremony
from kifu.core.trust.formulas import commitment

NAMES = ["Aki", "Ren", "Mio"]
OPTIONS = {"first": 0, "elder_votes": True}  # every option of the game, with its value


def deal_fairly(path: Path) -> records.Verdict:
    """Deal one match of cake, play a command, keep the record of seat 1 at this path, and verify it."""
    deal = Ceremony("m1", "cake", 1, OPTIONS, NAMES, who=[0, 0, 0], veil=token_bytes(32))
    secrets = {seat: token_bytes(32) for seat in deal.waits_for}  # each player draws one, and keeps it
    for seat, secret in secrets.items():
        deal.commit(seat, commitment("m1", deal.attempt, seat, secret))
    roster, digest, veil = deal.roster, deal.digest, deal.veil
    if roster is None or digest is None or veil is None:
        raise SystemExit("it waits for commitments")
    for seat, secret in secrets.items():  # each player compares the roster first
        deal.reveal(seat, digest, secret)

    match = kifu.new("cake", NAMES, trust=deal)
    match.play(0, match.legal(0)[0])
    header, *events = log_objects(match)
    evidence = records.Evidence(match.game, digest, veil, header)
    with records.RecordWriter.create(path, records.head(1, roster)) as mine:
        for step, raw in zip(match.steps, events, strict=True):
            evidence.add(raw)  # once the event is stored
            mine.append(evidence.event(step, 1))  # what seat 1 is told, its salt and its mark
    return records.verify(records.read(path), log_bytes(match))


if __name__ == "__main__":
    print(deal_fairly(Path("mine.seat")).ok)
