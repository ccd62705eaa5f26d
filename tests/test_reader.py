"""The reader in JavaScript (`docs/reader/kifu.mjs`) finds in a log what ours finds, as far as it needs no game."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import kifu
import pytest
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.format import first_chain, linked_end, linked_event, pack_plain

ROOT = Path(__file__).parents[1]
READER = ROOT / "docs" / "reader" / "kifu.mjs"
LOGS = sorted((ROOT / "fixtures").glob("*/*.log"))
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


def theirs(paths: list[Path], code: int) -> list[dict]:
    done = subprocess.run([NODE, READER, "--json", *paths], capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (code, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_golden_log_reads_the_same():
    assert len(LOGS) > 50
    for path, read in zip(LOGS, theirs(LOGS, 0), strict=True):
        ours = read_bytes(path.read_bytes())
        assert read["findings"] == []
        assert read["header"]["game"] == ours.name
        assert read["header"]["seats"] == list(ours.header.seats)
        assert len(read["events"]) == ours.events
        assert read["events"][-1]["chain" if read["end"] is None else "seq"] in (ours.chain.hex(), ours.events - 1)
        assert (read["end"] and read["end"]["end"]) == ours.ended
        for event, step in zip(read["events"], ours.match.steps, strict=True):
            assert (event["seq"], event["seat"]) == (step.seq, step.seat)


def damage(data: bytes, random: Random) -> bytes:
    """Flip a bit, take bytes out, put some in, cut off, or add at the end."""
    at, some = random.randrange(len(data)), random.randbytes(random.randrange(1, 20))
    flipped = bytes([data[at] ^ 1 << random.randrange(8)])
    return random.choice(
        [
            data[:at] + flipped + data[at + 1 :],
            data[:at] + data[at + len(some) :],
            data[:at] + some + data[at:],
            data[:at],
            data + some,
        ]
    )


def summary(findings: list[tuple[str, int | None]]) -> tuple[list[str], int | None]:
    """Give what is done of the chain and the tail; and where the first broken link is, if nothing odd is before it."""
    kinds = [kind for kind, _ in findings]
    first = next((seq for kind, seq in findings if kind == "chain"), None)
    clear = "form" not in kinds or (first is not None and kinds.index("chain") < kinds.index("form"))
    return sorted(kind for kind in kinds if kind in ("chain", "torn")), first if clear else None


@pytest.mark.parametrize("number", [1, pytest.param(2, marks=pytest.mark.long)])
def test_every_damage_is_found_as_ours_is(number: int, tmp_path: Path):
    random = Random(number)
    damaged = [damage(random.choice(LOGS).read_bytes(), random) for _ in range(100 if number == 1 else 1500)]
    paths = [tmp_path / f"{place}.log" for place in range(len(damaged))]
    for path, data in zip(paths, damaged, strict=True):
        path.write_bytes(data)
    for data, read in zip(damaged, theirs(paths, 1), strict=True):
        ours = read_bytes(data)
        found = [(each["kind"], each["seq"]) for each in read["findings"]]
        if ours.header is None:
            continue  # ours knows which games there are
        if read["header"] is None:
            assert [finding.kind for finding in ours.findings][:1] == ["header"]
        elif not any(finding.kind == "header" for finding in ours.findings):
            by_event = sorted(found, key=lambda each: (each[1] is None, each[1] or 0))
            mine = sorted(
                ((each.kind, each.seq) for each in ours.findings), key=lambda each: (each[1] is None, each[1] or 0)
            )
            assert summary(by_event) == summary(mine), ours.findings
            assert found or ours.ok  # cut off between two events, it is a match that goes on


def chained(header: dict, events: list[list], end: dict | None = None) -> bytes:
    """Make a log of these records, whatever they hold, whose chain is right."""
    data = pack_plain(header)
    chain = first_chain(data)
    for event in events:
        data += linked_event(event, chain)
        chain = data[-16:]
    return data if end is None else data + linked_end(end, chain)


HEADERS = [
    {"kifu": 2},
    {"game": 5},
    {"rules": "1"},
    {"rules": {"a": 1}},
    {"seats": [{}, {}, {}]},
    {"seats": "abc"},
    {"options": None},
    {"options": {1: 2}},
    {"seed": b"short"},
    {"match": None},
    {"started": -1},
    {"started": True},
    {"engine": 5},
    {"layout": None},
    {"fork": {"match": "x"}},
    {"fork": {"match": "x", "seq": 0}},
    {"more": 1.5},
    {"more": {5: 1}},
    {"more": [None] * 70_000},
]
EVENTS = [
    {"seq": 2},
    {"seq": True},
    {"seq": 2**63},
    {"seat": 3},
    {"seat": -2},
    {"seat": "0"},
    {"meta": {}},
    {"meta": {"at": -1}},
    {"meta": {"at": True}},
    {"meta": {"id": "x"}},
    {"meta": {"id": bytes(33)}},
    {"meta": {"by": 65 * "🀄"}},
    {"meta": {"by": None}},
    {"meta": {5: 1}},
    {"meta": {"x": {"y": 1.5}}},
    {"tag": None},
    {"tag": ".x"},
    {"tag": ".takeback", "fields": {"to": 1}},
    {"tag": ".takeback", "fields": {"to": 0, "x": 1}},
    {"fields": []},
    {"fields": {"card": {"x": {1: 2}}}},
    {"digest": b"short"},
    {"digest": "0" * 8},
]
ENDS = [
    {"end": "won"},
    {"end": {}},
    {"end": "over", "points": [1, 2], "winners": [0]},
    {"end": "over", "points": [1, 2, True], "winners": [0]},
    {"end": "over", "points": [1, 2, 3], "winners": [3]},
    {"end": "over", "points": [1, 2, 3], "winners": [1, 0]},
    {"points": [1, 2, 3]},
    {"events": 5},
    {"events": True},
    {"x": 1},
]
PLACES = ("seq", "seat", "meta", "tag", "fields", "digest")


def test_each_record_of_a_wrong_shape_is_found_where_ours_finds_it(tmp_path: Path):
    header = {"kifu": 1, "game": "take_and_share", "rules": 1, "seats": ["a", "b", "c"], "options": {}}
    header |= {"seed": bytes(32), "match": "m", "started": 0, "engine": "x"}
    match = kifu.new("take_and_share", "abc", seed=bytes(32))
    play = match.legal(0)[0]
    deal = [0, -1, None, "deal", {"cards": list(match.events[0].command.cards)}, None]
    meta = {"at": 5, "id": b"", "by": 64 * "🀄", "x": {"chestnuts": {5: 2**63}}}
    first = [1, 0, meta, "play", {"card": play.card}, None]
    last = {"end": "abandoned", "events": 2, "points": None, "winners": None}
    event = dict(zip(PLACES, first, strict=True))
    logs = [chained({key: header[key] for key in header if key != gone}, [deal]) for gone in header]
    logs += [chained({**header, **wrong}, [deal]) for wrong in HEADERS]
    logs += [chained(header, [deal, list({**event, **wrong}.values())]) for wrong in EVENTS]
    logs += [chained(header, [deal, first], {**last, **wrong}) for wrong in ENDS]
    right = chained(header, [deal, first], last)
    long = right[: right.index(b"\xa2at\x05")] + b"\xa2at\xcc\x05" + right[right.index(b"\xa2at\x05") + 4 :]
    paths = [tmp_path / f"{place}.log" for place in range(len(logs) + 2)]
    for path, data in zip(paths, [*logs, long, right], strict=True):
        path.write_bytes(data)
    *reads, tampered, fine = theirs(paths, 1)
    assert (fine["findings"], fine["end"]["end"]) == ([], "abandoned")
    assert fine["events"][1]["meta"]["x"] == {"chestnuts": {"5": str(2**63)}}
    assert [each["kind"] for each in tampered["findings"]] == ["chain", "form"]
    for data, read in zip(logs, reads, strict=True):
        ours = read_bytes(data).findings
        assert ours
        assert [(each["kind"], each["seq"]) for each in read["findings"]] == [(each.kind, each.seq) for each in ours]
    summary = subprocess.run([NODE, READER, *paths], capture_output=True, text=True, check=False)
    assert (summary.returncode, summary.stderr) == (1, "")


def test_it_runs_by_any_name_and_reports_every_file(tmp_path: Path):
    """A check that is silent would pass for a good one."""
    (tmp_path / "a folder").mkdir()
    link = tmp_path / "a folder" / "check it.mjs"
    link.symlink_to(READER)
    done = subprocess.run(
        [NODE, link, tmp_path / "none.log", LOGS[0]], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "none.log: cannot be read: ENOENT" in done.stderr
    assert done.stdout.endswith("the chain holds\n")


def test_what_needs_no_game_is_printed_as_text(tmp_path: Path):
    match = kifu.new("take_and_share", ["Aki", "\x1b[31mRen\u202e", "Mio"], seed=bytes(32), match="m", started=0)
    match.play(0, match.legal(0)[0])
    data = bytearray(log_bytes(match))
    (tmp_path / "game.log").write_bytes(data)
    done = subprocess.run([NODE, READER, tmp_path / "game.log"], capture_output=True, text=True, check=True).stdout
    assert "take_and_share, rules version 1, Aki, \ufffd[31mRen\ufffd, Mio" in done
    assert '    1  seat 0  play {"card":' in done
    assert done.endswith("game.log: 2 events, the chain holds\n")
    data[-30] ^= 1
    (tmp_path / "game.log").write_bytes(data)
    found = subprocess.run([NODE, READER, tmp_path / "game.log"], capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "chain: event 1: bytes were changed, removed, added or moved here" in found.stdout


def test_its_hash_is_blake2b():
    from hashlib import blake2b

    sizes = [0, 1, 55, 127, 128, 129, 256, 1000]
    script = (
        f"import {{ blake2b }} from {json.dumps(READER.as_uri())};"
        f"const hash = (size) => Buffer.from(blake2b(new Uint8Array(size).fill(7))).toString('hex');"
        f"console.log({json.dumps(sizes)}.map(hash).join())"
    )
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    ).stdout
    assert done.strip().split(",") == [blake2b(b"\x07" * size, digest_size=16).hexdigest() for size in sizes]


@pytest.mark.parametrize("data", [b"", b"\x91" * 100_000, b"\xdf\xff\xff\xff\xff", b"{}", b"\xc1", bytes(1000)])
def test_no_file_is_too_strange(data: bytes, tmp_path: Path):
    (tmp_path / "odd.log").write_bytes(data)
    (read,) = theirs([tmp_path / "odd.log"], 1)
    assert [each["kind"] for each in read["findings"]] == ["header"]
