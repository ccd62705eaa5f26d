"""Rules version 2 of gosne: chestnuts are a list of pairs, and `alone` may deal again; version 1 is read as before."""

from pathlib import Path

import msgpack
import pytest
from kifu.core.log import read_bytes
from kifu.core.log.format import first_chain, linked_event

LOG = Path(__file__).parents[3] / "fixtures" / "gosne" / "chestnuts_on_the_cards.log"
CHESTNUTS = ((0, 0), (3, 2), (6, 3), (9, 1), (12, 5))


def rewritten(**changes: object) -> bytes:
    """Return the log of version 1 with another header, without its end record."""
    unpacker = msgpack.Unpacker(strict_map_key=False)
    unpacker.feed(LOG.read_bytes())
    header, *events, _ = unpacker
    options = {**header["options"], **changes.pop("options", {})}
    data = msgpack.packb({**header, **changes, "options": options})
    chain = first_chain(data)
    for event in events:
        data += linked_event(event[:6], chain)
        chain = data[-16:]
    return data


def test_a_log_of_version_1_keeps_its_points_and_its_chestnuts():
    reading = read_bytes(LOG.read_bytes())
    assert (reading.ok, reading.header.rules, reading.digests) == (True, 1, "checked")
    assert reading.header.options.chestnuts == CHESTNUTS


def test_its_ranks_may_stand_in_any_order():
    shuffled = read_bytes(rewritten(options={"chestnuts": dict(reversed(CHESTNUTS))}))
    assert (shuffled.ok, shuffled.header.options.chestnuts) == (True, CHESTNUTS)
    assert shuffled.digests == "unchecked", "they stood so in the states that the digests are of"


@pytest.mark.parametrize("name", ["whistleblower_alone_with_both", "whistleblower_ceo_unseen"])
def test_in_version_1_whoever_has_no_partner_plays_against_three(name):
    reading = read_bytes(LOG.with_name(f"{name}.log").read_bytes())
    assert (reading.ok, reading.header.rules, reading.header.options.alone) == (True, 1, "three")


@pytest.mark.parametrize(
    "changes",
    [
        {"rules": 2},
        {"options": {"dealer": {1: 2}}},
        {"options": {"chestnuts": {"0": 3}}},
        {"options": {"chestnuts": {0: 3, "1": 2}}},
        {"options": {"chestnuts": {0: {1: 2}}}},
        {"rules": 2, "options": {"chestnuts": [[13, 4], [0, 3]]}},
        {"game": "cake", "options": {"first": {1: 2}}},
        {"chestnuts": {1: 2}},
    ],
)
def test_no_other_header_has_ints_as_keys(changes: dict):
    findings = read_bytes(rewritten(**changes)).findings
    assert [finding.kind for finding in findings] == ["header"]
