"""Old logs are promises: a game at its third rules version reads those of the first two, and nothing in them changes.

`versions/one.log` and `two.log` were written by what was the game then.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import kifu
import msgpack
import pytest
from kifu.core.game import Past, Upcast
from kifu.core.log import LogWriter, load, log_bytes, read, read_bytes
from kifu.core.log.format import END_HEADS
from kifu.replay.logs.anonymized import anonymized

from .pebbles import GAME, Options, Take
from .rewriting import unchained

LOGS = Path(__file__).parent / "versions"
PROMISED = {"one": (1, (7, 5), (0,)), "two": (2, (4, 3, 2), (0,))}
"""The rules version, the points and the winners of each old log."""


def find(name: str) -> kifu.Game:
    assert name == "pebbles"
    return GAME


def with_upcasts(**changes: Any) -> Any:
    """Give the game with another upcast from version 1."""
    upcasts = {**GAME.past.upcasts, 1: attrs.evolve(GAME.past.upcasts[1], **changes)}
    game = GAME.altered(past=Past(3, upcasts))
    return lambda name: game


@pytest.mark.parametrize("name", PROMISED)
def test_the_points_and_winners_of_an_old_log_never_change(name: str) -> None:
    rules, points, winners = PROMISED[name]
    match = load(LOGS / f"{name}.log", find)
    assert match.result == kifu.Result(points, winners)
    assert match.header.rules == rules
    assert match.header.options.last == "wins"


def test_under_the_new_ruling_the_same_commands_have_another_winner() -> None:
    old = load(LOGS / "one.log", find)
    new = kifu.Match(GAME, attrs.evolve(old.header, options=attrs.evolve(old.header.options, last="loses")))
    for event in old.events:
        new.apply(event.seat, event.command)
    assert old.result.winners == (0,)
    assert new.result.winners == (1,)


def test_names_of_the_first_version_are_read_as_todays() -> None:
    match = load(LOGS / "one.log", find)
    assert match.header.options == Options(heap=12, last="wins")
    commands = [event.command for event in match.events]
    assert commands == [Take(3), Take(2), Take(3), kifu.Takeback(1), Take(1), Take(3), Take(3)]


@pytest.mark.parametrize("name", PROMISED)
def test_an_old_log_is_clean_and_its_digests_are_not_compared(name: str) -> None:
    reading = read(LOGS / f"{name}.log", find)
    assert reading.ok
    assert reading.digests == "unchecked"


@pytest.mark.parametrize("name", PROMISED)
def test_the_chain_is_that_of_the_old_files_own_bytes(name: str) -> None:
    data = (LOGS / f"{name}.log").read_bytes()
    for place in range(data.index(b"\x97"), len(data) - 60):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        assert not read_bytes(changed, find).ok, place


def test_an_old_log_is_held_against_its_own_end_record() -> None:
    data = (LOGS / "two.log").read_bytes()
    end = data.rindex(END_HEADS[0] + msgpack.packb("end"))
    changed = data[:end] + data[end:].replace(msgpack.packb([4, 3, 2]), msgpack.packb([4, 4, 2]))
    assert "result" in [finding.kind for finding in read_bytes(changed, find).findings]


@pytest.mark.parametrize("name", PROMISED)
def test_an_old_match_is_saved_as_a_log_of_today(name: str, tmp_path: Path) -> None:
    old = load(LOGS / f"{name}.log", find)
    old.save(tmp_path / "new.log")
    reading = read(tmp_path / "new.log", find)
    assert reading.ok
    assert (reading.rules, reading.header.layout, reading.digests) == (3, 3, "checked")
    assert reading.match.result == old.result
    assert attrs.evolve(reading.header, rules=old.header.rules, layout=old.header.layout) == old.header


@pytest.mark.parametrize("name", PROMISED)
def test_an_old_log_is_not_gone_on_with(name: str, tmp_path: Path) -> None:
    """Today's commands have no place under an old header; saved anew, the match goes on."""
    data = (LOGS / f"{name}.log").read_bytes()
    unfinished = data[: data.rindex(END_HEADS[0] + msgpack.packb("end"))]
    unfinished = unfinished[: unfinished.rindex(b"\x97")]
    path = tmp_path / "old.log"
    path.write_bytes(unfinished)
    with pytest.raises(kifu.LogError, match="save the match anew"):
        LogWriter.open(path, find)
    assert path.read_bytes() == unfinished
    load(path, find).save(path)
    with LogWriter.open(path, find) as writer:
        match = writer.match
        match.play(min(match.to_act), match.legal(min(match.to_act))[-1])
        writer.end()
    assert load(path, find).result == load(LOGS / f"{name}.log", find).result


def test_a_log_of_an_older_layout_is_gone_on_with_without_digests(tmp_path: Path) -> None:
    """Digests of today under a header of another layout would one day be compared with another's."""
    earlier, later = (GAME.altered(past=Past(layout, GAME.past.upcasts)) for layout in (2, 3))
    match: kifu.Match = kifu.new(earlier, ["Ama", "Bo"], seed=None)
    match.play(0, Take(1))
    match.save(tmp_path / "x.log")
    with LogWriter.open(tmp_path / "x.log", lambda _: later) as writer:
        writer.match.play(1, Take(2))
        writer.sync()
    _, events = unchained((tmp_path / "x.log").read_bytes())
    assert [each[5] is None for each in events] == [False, True]
    assert read(tmp_path / "x.log", lambda _: earlier).digests == "checked"


@pytest.mark.parametrize("rules", [0, 4])
def test_a_version_that_the_game_never_had(rules: int) -> None:
    data = (
        (LOGS / "one.log")
        .read_bytes()
        .replace(msgpack.packb("rules") + b"\x01", msgpack.packb("rules") + bytes([rules]))
    )
    (finding,) = read_bytes(data, find).findings
    assert finding.kind == "header"
    assert f"rules version {rules} is not known; this program plays 1 to 3" in finding.message


@pytest.mark.parametrize("upcasts", [{}, {1: Upcast(header=dict)}, {0: Upcast(header=dict), 1: Upcast(header=dict)}])
def test_upcasts_form_an_unbroken_chain_from_version_1(upcasts: Mapping[int, Upcast]) -> None:
    with pytest.raises(kifu.GameError, match="upcasts from"):
        attrs.evolve(GAME, past=Past(3, upcasts))


def without_options(header: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in header.items() if key != "options"}


@pytest.mark.parametrize(
    ("upcast", "reported"),
    [
        (without_options, "gave a bad one: no 'options' in the header"),
        (lambda header: {**header, "seats": 2}, "gave a bad one: 'seats' is not a list of names"),
        (lambda header: None, "gave a bad one: it is not a map"),
        (lambda header: header["nothing"], "failed: KeyError('nothing')"),
        (lambda header: {**header, "options": {"stones": 3}}, "there is no such option"),
        (lambda header: {**header, "options": {"heap": 0}}, "option 'heap'"),
    ],
)
def test_a_broken_upcast_of_a_header_is_reported_in_one_line(upcast: Any, reported: str) -> None:
    (finding,) = read(LOGS / "one.log", with_upcasts(header=upcast)).findings
    assert finding.kind == "header"
    assert reported in finding.message


@pytest.mark.parametrize(
    "upcast",
    [
        lambda seat, tag, fields: None,
        lambda seat, tag, fields: (seat, tag),
        lambda seat, tag, fields: ("first", "take", {"pebbles": 1}),
        lambda seat, tag, fields: (seat, 3, {"pebbles": 1}),
        lambda seat, tag, fields: (seat, "take", [1]),
        lambda seat, tag, fields: fields["pebbles"],
    ],
)
def test_a_broken_upcast_of_an_event_is_a_finding_on_it(upcast: Any) -> None:
    reading = read(LOGS / "one.log", with_upcasts(event=upcast))
    assert [(finding.kind, finding.seq) for finding in reading.findings] == [("form", 0)]
    assert "upcast" in reading.findings[0].message
    with pytest.raises(kifu.LogError, match="upcast"):
        load(LOGS / "one.log", with_upcasts(event=upcast))


def test_an_upcast_never_sees_what_belongs_to_the_format() -> None:
    """`one.log` has a takeback, which the upcast of its version would not know."""
    tags = []

    def event(seat: int, tag: str, fields: Mapping[str, Any]) -> tuple[int, str, Mapping[str, Any]]:
        tags.append(tag)
        return GAME.past.upcasts[1].event(seat, tag, fields)

    assert read(LOGS / "one.log", with_upcasts(event=event)).ok
    assert set(tags) == {"grab"}


def test_the_result_of_an_upcast_is_checked_by_the_current_rules() -> None:
    def double(seat: int, tag: str, fields: Mapping[str, Any]) -> tuple[int, str, Mapping[str, Any]]:
        return seat, "take", {"pebbles": 2 * fields["n"]}

    reading = read(LOGS / "one.log", with_upcasts(event=double))
    assert [finding.rule for finding in reading.findings] == ["PEB-1"]


def test_a_match_of_today_is_written_and_read_again() -> None:
    match: kifu.Match = kifu.new(GAME, ["Ama", "Bo"], {"heap": 3}, seed=None)
    match.play(0, Take(3))
    reading = read_bytes(log_bytes(match), find)
    assert reading.ok
    assert reading.digests == "checked"
    assert reading.match.result.winners == (1,)


@pytest.mark.parametrize("name", PROMISED)
def test_a_anonymized_old_log_goes_on_proving_the_upcasts(name: str) -> None:
    data = (LOGS / f"{name}.log").read_bytes()
    clean = read_bytes(anonymized(data, read_bytes(data, find)), find)
    assert clean.ok
    assert (clean.rules, clean.digests) == (PROMISED[name][0], "unchecked")
    assert clean.result == kifu.Result(*PROMISED[name][1:])


def test_a_log_of_a_game_that_is_not_installed_is_loaded_by_it(tmp_path: Path) -> None:
    match = kifu.new(GAME, ["Ama", "Bo"])
    kifu.save(match, tmp_path / "m.log")
    with pytest.raises(kifu.LogError, match="not installed"):
        kifu.load(tmp_path / "m.log")
    again = kifu.load(tmp_path / "m.log", game=GAME)
    assert (again.game, log_bytes(again)) == (GAME, log_bytes(match))
    with pytest.raises(kifu.LogError, match="this is not a log of 'cake'"):
        kifu.load(tmp_path / "m.log", game="cake")
    with pytest.raises(kifu.GameError):
        kifu.load(tmp_path / "m.log", game="no such game")
