"""The reader in JavaScript (`core/web/table/reader/kifu.mjs`) finds in a log what ours finds, without the game."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import kifu
import pytest
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.format import first_chain, linked_end, linked_event, next_chain, pack_plain
from kifu.core.log.framing import object_end

ROOT = Path(__file__).parents[1]
READER = ROOT / "core" / "web" / "table" / "reader" / "kifu.mjs"
LOGS = sorted((ROOT / "fixtures").glob("*/*.log"))
NODE = shutil.which("node")

pytestmark = [pytest.mark.ci, pytest.mark.skipif(NODE is None, reason="needs node")]


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
    match = kifu.new("take_and_share", [*"abc"], seed=bytes(32))
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
    logs.append(right[:-18] + b"\xc5\x00\x10" + bytes(16))  # a chain that no reader finds at the end
    logs.append(chained(header, [deal, first]) + pack_plain({"chain": bytes(16), **last}))
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


def records(data: bytes) -> list[bytes]:
    """Cut a log into its header, events and end record."""
    parts, start = [], 0
    while start < len(data):
        end = object_end(data, start)
        assert end is not None
        parts.append(data[start:end])
        start = end
    return parts


def relinked(parts: list[bytes]) -> bytes:
    """Chain records anew: as far as they end in a chain at all."""
    chain, whole = first_chain(parts[0]), [parts[0]]
    for part in parts[1:]:
        if part[-18:-16] == b"\xc4\x10":
            chain = next_chain(chain, part[:-18])
            part = part[:-16] + chain
        whole.append(part)
    return b"".join(whole)


STRANGE = [
    b"\xcb" + bytes(8),  # a float
    b"\xd4\x01\x00",  # an extension
    b"\xa1\xff",  # a text that is no UTF-8
    b"\x82\xa1a\x01\xa1a\x02",  # a map with a key twice
    b"\x81\x01\x02",  # a map with an int as key
    b"\xcd\x00\x01",  # an int that could be shorter
    b"\x91" * 3000 + b"\xc0",  # nested deep
    b"\xdc\x00\x02\xc0\xc0",  # an array of two
    b"\xc0",
    b"\x07",
    b"\xa3end",
    b"\x81\xa3end\xa4over",
    b"\x81\xa3end\xcb" + bytes(8),
    b"\x81\xa1x\xc0",
    b"\x80",
    b"\x90",
    b"\xc1",  # begins nothing
]


def fuzzed(data: bytes, random: Random) -> bytes:
    """Change a log by its structure: replace, insert, repeat or leave out records, and make values in them strange."""
    parts = records(data)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(1, len(parts))
        strange = random.choice(STRANGE)
        link = b"\xc4\x10" + random.randbytes(16)
        event = b"\x97" + b"\x00" * 5 + strange + link  # an array of seven whose last but one is strange
        change = random.randrange(8)
        if change == 0:
            parts[at] = strange
        elif change == 1:
            parts.insert(at, strange)
        elif change == 2:
            parts[at] = event
        elif change == 3:
            parts.insert(at, b"\x97" + strange + b"\x00" * 5 + link)
        elif change == 4:
            del parts[at]
        elif change == 5:
            parts.insert(at, random.choice(parts[1:] or [strange]))
        elif change == 6:
            parts[at] = b"\x82\xa3end" + strange + b"\xa5chain" + link
        else:
            parts[at] = parts[at][:-1] + bytes([parts[at][-1] ^ 1])
        if len(parts) < 2:
            break
    return relinked(parts) if random.randrange(2) else b"".join(parts)


@pytest.mark.parametrize("number", [1, *(pytest.param(each, marks=pytest.mark.long) for each in range(2, 12))])
def test_both_readers_number_the_findings_of_a_fuzzed_log_alike(number: int, tmp_path: Path):
    random = Random(number)
    count = 150 if number == 1 else 1000
    logs = [fuzzed(random.choice(LOGS).read_bytes(), random) for _ in range(count)]
    paths = [tmp_path / f"{place}.log" for place in range(count)]
    for path, data in zip(paths, logs, strict=True):
        path.write_bytes(data)
    done = subprocess.run([NODE, READER, "--json", *paths], capture_output=True, text=True, check=False, timeout=300)
    assert done.stderr == ""
    differing = 0
    for data, line in zip(logs, done.stdout.splitlines(), strict=True):
        ours, theirs = read_bytes(data), json.loads(line)
        mine = [(each.kind, each.seq) for each in ours.findings]
        found = [(each["kind"], each["seq"]) for each in theirs["findings"]]
        for kind in ("chain", "torn"):
            assert sorted_by_event(mine, kind) == sorted_by_event(found, kind), (mine, found)
        first = next((seq for kind, seq in found if kind == "form" and seq is not None), None)
        stops = [seq for kind, seq in mine if kind in ("form", "rule") and seq is not None]
        assert first is None or (stops and stops[0] <= first), (mine, found)
        assert ("form", None) not in found or ("form", None) in mine, (mine, found)
        differing += bool(mine)
    assert differing > count / 2


def sorted_by_event(findings: list[tuple[str, int | None]], kind: str) -> list[int]:
    """Return the numbers of the findings of a kind, -1 for none."""
    return sorted(-1 if seq is None else seq for each, seq in findings if each == kind)
