"""The JSON form of a log: lossless, checked as a log is, and as its schema says (docs/json-form.md)."""

import json
import runpy
from copy import deepcopy
from functools import cache
from pathlib import Path

import attrs
import jsonschema
import kifu
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kifu.core.game import Meta
from kifu.core.log import log_bytes, read_bytes
from kifu.core.log.json_form import from_json, is_json, to_json

ROOT = Path(__file__).parents[3]
LOGS = sorted((ROOT / "fixtures").glob("*/*.log"))
SCHEMAS = ROOT / "docs" / "schemas"
MAKE = runpy.run_path(str(SCHEMAS / "make.py"))


@cache
def validator(game: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(MAKE["schema_of"](kifu.games.find(game)))


def load(whole: object, folder: Path) -> kifu.Match:
    """Load what this JSON says."""
    path = folder / "match.json"
    path.write_bytes(whole if isinstance(whole, bytes) else json.dumps(whole).encode())
    return kifu.load(path)


def refused(whole: object, folder: Path) -> kifu.LogError:
    with pytest.raises(kifu.LogError) as refusal:
        load(whole, folder)
    assert refusal.value.path.endswith("match.json")
    return refusal.value


@pytest.fixture
def whole(over: kifu.Match) -> dict:
    return json.loads(to_json(log_bytes(over)))


@pytest.mark.ci
def test_every_golden_log_comes_back_byte_for_byte_and_fits_its_schema():
    for path in LOGS:
        data = path.read_bytes()
        text = to_json(data)
        assert from_json(text.encode()) == data, path
        if read_bytes(data).rules == kifu.games.find(path.parent.name).rules:  # a schema is of one rules version
            assert list(validator(path.parent.name).iter_errors(json.loads(text))) == [], path


@pytest.mark.parametrize("path", sorted(Path(__file__).parent.glob("versions/*.json")), ids=lambda path: path.stem)
def test_what_an_earlier_version_wrote_is_read_back_to_the_bytes_of_its_log(path: Path) -> None:
    assert from_json(path.read_bytes()) == path.with_suffix(".log").read_bytes()


def test_a_match_is_saved_and_loaded_as_json(over: kifu.Match, going: kifu.Match, tmp_path: Path):
    for match, name in ((over, "match.JSON"), (going, ".json")):
        match.save(tmp_path / name)
        assert is_json((tmp_path / name).read_bytes())
        again = kifu.load(tmp_path / name)
        assert (again.header, again.events, again.state) == (match.header, match.events, match.state)
        again.save(tmp_path / "match.log")
        assert (tmp_path / "match.log").read_bytes() == log_bytes(match)


def test_json_is_recognized_by_its_content_not_by_its_name(over: kifu.Match, tmp_path: Path):
    (tmp_path / "match.log").write_text("\ufeff \n" + to_json(log_bytes(over)), "utf-8")
    assert kifu.load(tmp_path / "match.log").events == over.events


STRANGE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=4) | st.binary(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("$a1-bytes", max_size=7), inner, max_size=3),
    max_leaves=8,
)
MORE = st.dictionaries(
    st.sampled_from(["x", "$x", "$$", "chestnuts", "$bytes", "seed2", "digest"]), STRANGE, max_size=3
)


@pytest.mark.ci
@given(header=MORE, meta=MORE, ident=st.none() | st.binary(max_size=32))
def test_keys_of_other_programs_come_back_whatever_they_hold(header: dict, meta: dict, ident: bytes | None):
    match = kifu.new("take_and_share", [*"abc"], seed=bytes(32), match="m", started=0)
    match.header = attrs.evolve(match.header, more=tuple(header.items()))
    match.play(0, match.legal(0)[0], Meta(id=ident, more=tuple(meta.items())))
    data = log_bytes(match)
    assert read_bytes(data).ok
    assert from_json(to_json(data).encode()) == data


def test_the_keys_of_an_option_come_back_as_the_ints_that_they_are_in_rules_version_1_of_gosne():
    log = (ROOT / "fixtures" / "gosne" / "whistleblower_four_hands.log").read_bytes()
    form = to_json(log)
    assert '"chestnuts": {"0": 3, "13": 4, "14": 5}' in form
    assert from_json(form.encode()) == log


def test_a_match_can_be_written_by_hand(tmp_path: Path, whole: dict, over: kifu.Match):
    short = {
        "kifu_json": 1,
        "header": whole["header"],
        "events": [{key: event[key] for key in ("tag", "seat", "fields")} for event in whole["events"]],
        "end": {key: value for key, value in whole["end"].items() if key != "chain"},
    }
    validator("take_and_share").validate(short)
    match = load(short, tmp_path)
    assert match.events == over.events
    assert match.result == over.result
    assert log_bytes(match) == log_bytes(over)


def test_a_changed_card_breaks_the_chain(tmp_path: Path, whole: dict):
    event = next(event for event in whole["events"] if event["tag"] == "play")
    event["fields"]["card"] += 1
    refusal = refused(whole, tmp_path)
    assert (refusal.kind, refusal.seq) == ("chain", event["seq"])
    for each in whole["events"]:
        del each["chain"]
    assert refused(whole, tmp_path).kind in ("rule", "digest")


@pytest.mark.parametrize("value", [None, "x", 5, [], {"end": "over"}, {"$bytes": "00"}, True])
@pytest.mark.parametrize("key", ["kifu_json", "header", "events"])
def test_a_whole_of_another_shape_is_refused_in_one_line(key: str, value: object, tmp_path: Path, whole: dict):
    if key == "events" and value == []:
        return  # a match that has not begun
    refusal = refused({**whole, key: value}, tmp_path)
    assert refusal.kind == "header" or refusal.seq is not None
    assert "\n" not in str(refusal)


EVENT = '{"kifu_json": 1, "header": {}, "events": [{"seat": 0, "tag": "x", %s}]}'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "this is no JSON"),
        ("{} {}", "this is no JSON"),
        ("{\xff", "this is no JSON"),
        ('{"kifu_json": 1, "kifu_json": 1}', "a map has a key twice"),
        ('{"kifu_json": 2}', "'kifu_json' is 1"),
        ('{"x": ' + "[" * 100_000, "nested too deeply"),
        ('{"kifu_json": 1, "header": {"x": ' + 2500 * "[" + 2500 * "]" + '}, "events": []}', "nested too deeply"),
        ('{"kifu_json": 1, "header": {"x": 18446744073709551616}, "events": []}', "more than 64 bits"),
        ('{"kifu_json": 1, "header": {"x": ' + "9" * 5000 + '}, "events": []}', "an int has more than 64 bits"),
        ('{"kifu_json": 1, "header": {"a": 1, "$a": 2}, "events": []}', "the key '$a' has a dollar sign more"),
        ('{"kifu_json": 1, "header": {"x": {"$bytes": "FF"}}, "events": []}', "'$bytes' takes pairs of hex digits"),
        ('{"kifu_json": 1, "header": {"x": {"$bytes": "00", "y": 1}}, "events": []}', "the key '$bytes' has a dollar"),
        ('{"kifu_json": 1, "header": {"options": {"x": {"7": 2, "07": 3}}}, "events": []}', "the key '07' has digits"),
        ('{"kifu_json": 1, "header": {"options": {"x": {"-0": 2}}}, "events": []}', "the key '-0' has digits"),
        (EVENT % '"meta": {"at": 1, "$at": 2}, "fields": {}', "event 0: the key '$at' has a dollar sign more"),
        (EVENT % '"fields": {"cards": [1], "$cards": [2]}', "event 0: the key '$cards' has a dollar sign more"),
        (EVENT % '"fields": {"cards": {"$bytes": 5}}', "event 0: '$bytes' takes pairs of hex digits"),
        ('{"kifu_json": 1, "header": {}, "events": [], "end": {"$end": "over"}}', "the key '$end' has a dollar"),
        ('{"kifu_json": 1, "header": {"x": "\\ud800"}, "events": []}', "half a surrogate pair"),
        ('{"kifu_json": 1, "header": {}, "events": [5]}', "an event is a map"),
        ('{"kifu_json": 1, "header": {}, "events": [{"seat": 0, "tag": "x"}]}', "has no 'fields'"),
        ('{"kifu_json": 1, "header": {}, "events": [{"seat": 0, "tag": "x", "fields": {}, "f": 1}]}', "has a key 'f'"),
        ('{"kifu_json": 1, "header": {}, "events": [], "more": 1}', "a key 'more'"),
        ('{"kifu_json": 1, "header": {}, "events": []}', "its header has no 'kifu'"),
    ],
)
def test_what_is_no_log_in_json_is_refused_in_one_line(text: str, why: str, tmp_path: Path):
    refusal = refused(text.encode("latin-1"), tmp_path)
    assert why in str(refusal)
    assert "\n" not in str(refusal)


@pytest.mark.parametrize(
    "damaged",
    [
        lambda data, _: b"",
        lambda data, _: data[:-1],
        lambda data, _: data + data,
        lambda data, _: data + b"\xc0",
        lambda data, _: b"\x05" + data,
        lambda data, event: data.replace(event, b"\xc0" + event),
        lambda data, event: data.replace(event, b"\x98" + event[1:] + b"\x01"),
        lambda data, event: data.replace(event, b"\x97\xcc\x01" + event[2:]),
        lambda data, event: data.replace(event, b"\x97\xcb" + bytes(8) + event[2:]),
        lambda data, event: data.replace(b"\xc4\x20" + bytes(32), b"\xd9\x40" + b"0" * 64),
        lambda data, event: data.replace(b"\xa3one\x01", b"\xa1\xff\x01"),
    ],
)
def test_a_log_that_json_cannot_give_back_is_refused_in_one_line(damaged):
    match = kifu.new("take_and_share", [*"abc"], seed=bytes(32), match="m", started=0)
    match.header = attrs.evolve(match.header, more=(("one", 1),))
    begun = log_bytes(match)
    match.play(0, match.legal(0)[0])
    data = log_bytes(match)
    assert from_json(to_json(data).encode()) == data
    with pytest.raises(kifu.LogError, match="this log has no JSON form") as refusal:
        to_json(damaged(data, data[len(begun) :]))
    assert "\n" not in str(refusal.value)


def test_a_writer_of_logs_leaves_json_alone(tmp_path: Path, going: kifu.Match):
    going.save(tmp_path / "match.json")
    before = (tmp_path / "match.json").read_bytes()
    with pytest.raises(kifu.LogError, match="this is JSON, not a log"):
        kifu.LogWriter.open(tmp_path / "match.json")
    assert (tmp_path / "match.json").read_bytes() == before


def test_every_game_has_its_schema_in_the_docs():
    assert sorted(path.stem for path in SCHEMAS.glob("*.json")) == kifu.games.names()


@pytest.mark.parametrize("name", kifu.games.names())
def test_the_schemas_in_the_docs_are_those_of_today(name: str):
    validator(name).check_schema(validator(name).schema)
    assert (SCHEMAS / f"{name}.json").read_text("utf-8") == MAKE["text"](kifu.games.find(name)), (
        f"docs/schemas/{name}.json is of before: write it by `python docs/schemas/make.py`"
    )


def mutants(whole: dict, tags: set[str]) -> list[dict]:
    """Make this match wrong in one place each: the fields of each of these tags, and what is around them."""
    made: list[dict] = []

    def change(*path: object, value: object = NotImplemented) -> None:
        mutant = deepcopy(whole)
        *way, last = path
        place = mutant
        for step in way:
            place = place[step]
        if value is NotImplemented:
            del place[last]
        else:
            place[last] = value
        made.append(mutant)

    first = {event["tag"]: event["seq"] for event in reversed(whole["events"])}
    for tag, seq in ((tag, first[tag]) for tag in sorted(tags)):
        for name in whole["events"][seq]["fields"]:
            change("events", seq, "fields", name)
            for value in (1.5, [1.5], {"x": 1.5}, None):
                change("events", seq, "fields", name, value=value)
        change("events", seq, "fields", "more", value=1)
        change("events", seq, "tag", value=tag + "s")
    if "deal" not in tags:
        return made
    for name in ("seat", "tag", "fields"):
        change("events", 1, name)
    for name, values in BAD_OF_EVENT.items():
        for value in values:
            change("events", 1, name, value=value)
    header, options = whole["header"], whole["header"]["options"]
    bad = {**BAD_OF_HEADER, **({} if header["seed"] is None else {"fork": [{"match": "x", "seq": 1}]})}
    for name in header:
        change("header", name)
    for name, values in bad.items():
        for value in values:
            change("header", name, value=value)
    if "chestnuts" in options:
        change("header", "options", "chestnuts", value={"07": 1})
    for name in (*options, "more"):
        change("header", "options", name, value=1.5)
    for name, value in BAD_OF_END.items():
        change("end", name, value=value)
    return made


BAD_OF_EVENT: dict[str, list[object]] = {
    "seat": [7, "0"],
    "seq": [-1],
    "digest": ["00"],
    "chain": ["xyz"],
    "meta": [{}, {"at": -1}, {"by": 65 * "x"}],
    "x": [1],
}
BAD_OF_HEADER: dict[str, list[object]] = {
    "kifu": [2],
    "seats": [[], [1, 2, 3]],
    "seed": ["00"],
    "started": [-1],
    "match": [None],
}
BAD_OF_END = {"end": "won", "points": None, "winners": [9], "events": "1", "chain": "00", "x": 1}


@pytest.mark.ci
@pytest.mark.parametrize("game", kifu.games.names())
def test_what_the_schema_refuses_kifu_refuses_and_a_match_gone_wrong_is_refused_by_both(game: str, tmp_path: Path):
    tried: set[str] = set()
    for path in sorted((ROOT / "fixtures" / game).glob("*.log"), key=lambda path: path.stat().st_size):
        whole = json.loads(to_json(path.read_bytes()))
        tags = {event["tag"] for event in whole["events"]} - {".takeback"}
        if whole["end"] is None or whole["end"]["end"] != "over" or tags <= tried:
            continue
        wrong = mutants(whole, tags - tried)
        tried |= tags
        for mutant in wrong:
            assert not validator(game).is_valid(mutant)
            refused(mutant, tmp_path)
    assert tried >= set(kifu.games.find(game).wire.values()) - {"judge"}
