"""The reader in JavaScript (`docs/reader/kifu.mjs`) says of a log what ours says, as far as it needs no game."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import kifu
import pytest
from kifu.core.log import log_bytes, read_bytes

ROOT = Path(__file__).parents[1]
READER = ROOT / "docs" / "reader" / "kifu.mjs"
LOGS = sorted((ROOT / "fixtures").glob("*/*.log"))
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


def theirs(paths: list[Path], code: int) -> list[dict]:
    said = subprocess.run([NODE, READER, "--json", *paths], capture_output=True, text=True, check=False, timeout=300)
    assert (said.returncode, said.stderr) == (code, "")
    return [json.loads(line) for line in said.stdout.splitlines()]


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


def told(findings: list[tuple[str, int | None]]) -> tuple[list[str], int | None]:
    """Give what is said of the chain and the tail; and where the first broken link is, if nothing odd is before it."""
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
            assert told(by_event) == told(mine), ours.findings
            assert found or ours.ok  # cut off between two events, it is a match that goes on


def test_what_no_game_is_needed_for_is_told_in_words(tmp_path: Path):
    match = kifu.new("take_and_share", ["Aki", "\x1b[31mRen\u202e", "Mio"], seed=bytes(32), match="m", started=0)
    match.play(0, match.legal(0)[0])
    data = bytearray(log_bytes(match))
    (tmp_path / "game.log").write_bytes(data)
    said = subprocess.run([NODE, READER, tmp_path / "game.log"], capture_output=True, text=True, check=True).stdout
    assert "take_and_share, rules version 1, Aki, \ufffd[31mRen\ufffd, Mio" in said
    assert '    1  seat 0  play {"card":' in said
    assert said.endswith("game.log: 2 events, the chain holds\n")
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
    said = subprocess.run(
        [NODE, "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    ).stdout
    assert said.strip().split(",") == [blake2b(b"\x07" * size, digest_size=16).hexdigest() for size in sizes]


@pytest.mark.parametrize("data", [b"", b"\x91" * 100_000, b"\xdf\xff\xff\xff\xff", b"{}", b"\xc1", bytes(1000)])
def test_no_file_is_too_strange(data: bytes, tmp_path: Path):
    (tmp_path / "odd.log").write_bytes(data)
    (read,) = theirs([tmp_path / "odd.log"], 1)
    assert [each["kind"] for each in read["findings"]] == ["header"]
