"""`replay verify`, and what `replay audit` says of fair deals and signatures: one line that convicts, or none."""

import json
import lzma
from pathlib import Path

import msgpack
import pytest
from kifu.core.log.json_form import to_json
from kifu.core.match.engine import engine_name
from kifu.core.trust import records, signing

VECTORS = Path(__file__).parents[2] / "core" / "trust" / "vectors" / "files.xz"
FILES: dict[str, bytes] = msgpack.unpackb(lzma.decompress(VECTORS.read_bytes()))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The logs and records of the vectors, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    for name, raw in FILES.items():
        (tmp_path / name).write_bytes(raw)
    (tmp_path / "broken.json").write_text("{")
    return tmp_path


def test_a_record_and_its_log_are_verified(replay, files: Path) -> None:
    called = replay("verify", "seat1.seat", "--against", "base.log")
    assert (called.code, called.err) == (1, ""), "in part"
    assert replay("verify", "seat1.seat", "--against", "base.log", "--partial").code == 0
    first, *unchecked, dealt, log, key, code = called.out.splitlines()
    assert "dealt at attempt 3; said to have refused before: seat 1 (1 time), seat 2 (1 time)" in dealt
    key_said = f"host's key {records.fingerprint(key_of('seat1.seat'))}"
    assert key.strip().startswith(f"{key_said}: compare it with the one that the host publishes")
    assert log.strip() == "this log: signed by nobody"
    assert first.startswith(
        "verified in part  seat1.seat  a1b2c3d4e5f60718, seat 1, events 0 to 24, ended without a result"
    )
    assert {line.strip().partition(":")[0] for line in unchecked} == {"not compared"}, "another engine recorded it"
    assert code.split()[-1] == records.code(records.marks(FILES["base.log"])[24])


def test_what_is_wrong_is_said_with_its_event(replay, files: Path) -> None:
    called = replay("verify", "unkeyed-seat1.seat", "--against", "a-hidden-vote-rewritten-its-own-seat.log", exits=1)
    assert called.out.startswith("WRONG ")
    assert "event 5, mark: the log's bytes up to here are not those that the host had" in called.out
    assert "event 5, what was told: the log gives the seat something else: fields" in called.out


def test_two_records_are_compared(replay, files: Path) -> None:
    assert replay("verify", "seat0.seat", "seat1.seat", "--partial").code == 0
    called = replay("verify", "unkeyed-seat0-public.seat", "seat1-other-history-public.seat", exits=1)
    assert "the host has two histories" in called.out
    assert "This is the word of whoever has the files" in called.out, "in version 1 nothing is more"


def test_the_public_form_is_written_and_never_over_another_file(replay, refused, files: Path) -> None:
    refused("verify", "seat0.seat", "--public", "show.seat", "--moment", "999")
    assert not (files / "show.seat").exists()
    replay("verify", "seat0.seat", "--public", "show.seat", "--partial", exits=0)
    assert (files / "show.seat").read_bytes() == records.public(FILES["seat0.seat"])
    replay("verify", "seat1.seat", "--public", "show.seat", exits=2)
    assert (files / "show.seat").read_bytes() == records.public(FILES["seat0.seat"])
    assert replay("verify", "show.seat", "seat1.seat", "--partial").code == 0


def test_the_code_of_a_moment_is_the_same_for_both_players(replay, refused, files: Path) -> None:
    said = [replay("verify", f"seat{seat}.seat", "--moment", 12, "--json").out for seat in (0, 1)]
    codes = {json.loads(each)["code"] for each in said}
    assert codes == {records.code(records.marks(FILES["base.log"])[12])}
    assert "no mark of moment 99" in refused("verify", "seat1.seat", "--moment", 99)


def test_json_has_the_whole_verdict(replay, files: Path) -> None:
    called = replay("verify", "consent.seat", "--against", "base.log", "--json")
    said = json.loads(called.out)
    assert (called.code, said.pop("code")[:4]) == (1, records.code(records.marks(FILES["base.log"])[24])[:4])
    assert said == {
        "record": "consent.seat",
        "against": "base.log",
        "match": "a1b2c3d4e5f60718",
        "seat": 1,
        "ok": True,
        "partial": True,
        "by": None,
        "first": 0,
        "last": 24,
        "gaps": [],
        "signed": True,
        "log_signed": False,
        "attempt": 3,
        "refused": [[2], [1]],
        "ended": "by consent",
        "unchecked": [
            "what was agreed: in version 1 signatures name the match alone, and convict nobody",
            f"notes: they were told by 'kifu 0.1.0', this is {engine_name()}",
            "whether the takeback at event 5 needed consent: its program knows, 'kifu 0.1.0'",
            "whether the takeback at event 11 needed consent: its program knows, 'kifu 0.1.0'",
        ],
        "proof": False,
        "host_key": records.key_text(key_of("seat1.seat")),
        "fingerprint": records.fingerprint(key_of("seat1.seat")),
        "played_for": [],
        "findings": [],
    }
    assert json.loads(replay("verify", "marks-only-seat2.seat", "--json").out)["host_key"] is None
    called = replay("verify", "torn.seat", "--against", "unkeyed.log", "--json", "--lang", "ja", exits=1)
    assert json.loads(called.out)["findings"] == [
        {"seq": None, "kind": "torn", "rule": None, "by": "owner", "message": "the record ends inside an entry"}
    ]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["base.log"], "base.log: no record: it has no 'kifu_record'"),
        (["none.seat"], "none.seat: cannot be read"),
        (["seat0.seat", "--against", "none.log"], "none.log: cannot be read"),
        (["seat0.seat", "--against", "broken.json"], "broken.json: this is no JSON"),
        (["seat0.seat", "seat1.seat", "spectator.seat"], "give one record"),
        (["seat0.seat", "seat1.seat", "--against", "base.log"], "give one record"),
        (["fork.log", "--parent", "seat0.seat"], "seat0.seat: "),
        (["seat0.seat", "--against", "fork.log", "--parent", "seat0.seat"], "seat0.seat: "),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_code_2(refused, files: Path, args: list[str], says: str) -> None:
    assert refused("verify", *args).startswith(f"replay: {says}")


def test_the_json_form_of_a_log_is_the_log(replay, files: Path) -> None:
    (files / "base.json").write_text(to_json(FILES["base.log"]), encoding="utf-8")
    assert replay("verify", "seat0.seat", "--against", "base.json", "--partial").code == 0


def test_an_audit_finds_an_unfair_deal_a_bad_veil_and_a_forged_move(replay, files: Path) -> None:
    assert replay("audit", "base.log", "whole.log", "fork.log").code == 0
    for name, says in (
        ("seed-not-derived.log", "unfair deal: the seed is not the one that the roster and the secrets give"),
        ("a-move-forged.log", "event 23, signature: the signature is not seat 0's to this"),
        ("a-veil-of-31-bytes.log", "veil: 'veil' is not 32 bytes"),
    ):
        called = replay("audit", name)
        assert (called.code, says in called.out) == (1, True), called.out
        assert "dealt fairly" not in called.out
    assert json.loads(replay("audit", "seed-not-derived.log", "--json").out)["fair"] is False
    assert "dealt fairly" in replay("audit", "base.log").out
    said = json.loads(replay("audit", "base.log", "--json").out)
    assert (said["ok"], said["signatures"]) == (True, "checked")


def test_it_speaks_japanese(replay, files: Path) -> None:
    log = "a-hidden-vote-rewritten-its-own-seat.log"
    called = replay("verify", "unkeyed-seat1.seat", "--against", log, "--lang", "ja", exits=1)
    lines = [line for line in called.out.splitlines()[1:-1] if "kifu 0.1.0" not in line]
    words = "".join(lines).replace("fields", "")
    assert not any("a" <= letter <= "z" for letter in words), words


def test_a_fork_is_verified_against_its_parent(replay, files: Path) -> None:
    called = replay("audit", "fork.log", exits=0)
    assert "not checked: events 0 to" in called.out
    assert json.loads(replay("audit", "fork.log", "--json").out)["unchecked"] != []
    partly = replay("verify", "fork.log", "--parent", "base.log")
    assert (partly.code, "whether the takeback at event 5" in partly.out) == (1, True)
    assert replay("verify", "fork.log", "--parent", "base.log", "--partial").code == 0
    called = replay("verify", "fork.log", "--parent", "whole.log", exits=1)
    assert "it is not a fork of this match" in called.out
    assert replay("verify", "fork.log", "seat0.seat", "--parent", "base.log").code == 2
    whole = json.loads(replay("audit", "whole.log", "--json").out)
    assert (whole["fair"], whole["played_for"]) == (True, [])
    assert whole["fingerprint"] == records.fingerprint(key_of("whole-seat1.seat"))
    assert f"host's key {whole['fingerprint']}" in replay("audit", "whole.log").out
    assert json.loads(replay("audit", "marks-only.log", "--json").out)["fingerprint"] is None


def key_of(name: str) -> bytes:
    return records.verify(FILES[name]).host_key or b""


@pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")
def test_a_key_that_is_known_is_compared(replay, refused, files: Path) -> None:
    key = key_of("seat1.seat")
    for given in (records.key_text(key), records.fingerprint(key), records.fingerprint(key).lower().replace("-", "")):
        assert replay("verify", "seat1.seat", "--host-key", given, "--partial").code == 0
    other = signing.SigningKey.new().public
    for given in (records.key_text(other), records.fingerprint(other)):
        called = replay("verify", "seat1.seat", "--host-key", given, exits=1)
        said = f"host's key: the host's key is {records.fingerprint(key)}, not {records.fingerprint(other)}"
        assert said in called.out
    assert "the host has no key here" in replay("verify", "marks-only-seat2.seat", "--host-key", given).out
    for none in ("x", "é" * 43, "A" * 43 + "=", "A" * 43):
        refused("verify", "seat1.seat", "--host-key", none)


@pytest.mark.skipif(not signing.is_available, reason="needs kifu[replay]")
def test_a_key_is_compared_where_nothing_else_can_be(replay, files: Path) -> None:
    key, other = (records.fingerprint(each) for each in (key_of("seat1.seat"), signing.SigningKey.new().public))
    for files_of_two_matches in (("seat1.seat", "--against", "whole.log"), ("seat1.seat", "whole-seat1.seat")):
        called = replay("verify", *files_of_two_matches, "--host-key", key)
        assert (called.code, "no key here" in called.out) == (1, False)
    assert replay("verify", "seat1.seat", "--host-key", "-".join(other.replace("-", ""))).code == 1


def test_a_log_and_a_record_that_are_exchanged_are_a_finding_too(replay, files: Path) -> None:
    called = replay("verify", "seat0.seat", "--against", "seat0.seat", exits=2)
    assert "this is not a log" in called.out
    called = replay("verify", "base.log", "--against", "base.log", "--json", exits=2)
    said = json.loads(called.out)
    assert [(each["kind"], each["seq"]) for each in said["findings"]] == [("record", None)]
    assert said["ok"] is False
