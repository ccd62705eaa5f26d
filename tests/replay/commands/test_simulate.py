"""`replay simulate`: the same seed plays the same matches."""

import json
import os
from hashlib import blake2b

import pytest
from kifu import games, load
from kifu.core.wire import wire_of
from kifu.replay.option_parsing import format_value, parse_options
from kifu.replay.tournament.random_matches import match_seed

from ..conftest import SEED, played


def test_the_seed_of_a_match_is_what_the_promise_says() -> None:
    expected = blake2b(b"\0\0\0\0\0\0\1\2", key=SEED, digest_size=32).digest()
    assert match_seed(SEED, 258) == expected
    assert match_seed(bytes(32), 0).hex()[:16] == "f4ef8accb5910fe8"


def test_the_id_of_a_match_is_that_of_its_game_and_seed(replay, tmp_path) -> None:
    for game in ("cake", "palace"):
        assert replay("simulate", game, "--games", 2, "--seed", SEED.hex(), "-o", tmp_path).code == 0
    ids = [
        blake2b(game, key=match_seed(SEED, i), digest_size=8).hexdigest()
        for game in (b"cake", b"palace")
        for i in (0, 1)
    ]
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(ids)
    assert {load(path).header.match for path in tmp_path.iterdir()} == {*ids}


def test_random_play_is_stable_for_ever() -> None:
    match = played("a", "b", "c")
    cards = [event.command.card for event in match.events if hasattr(event.command, "card")]
    assert cards[:7] == [10, 5, 9, 403, 410, 408, 509]
    assert match.result is not None


def test_the_same_call_writes_the_same_bytes(replay, tmp_path) -> None:
    call = ("simulate", "take_and_share", "--seats", 3, "--option", "long=true", "--games", 2, "--seed", SEED.hex())
    for folder in ("a", "b"):
        assert replay(*call, "-o", tmp_path / folder).code == 0
    first, second = (sorted((tmp_path / folder).iterdir()) for folder in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    match = load(first[0])
    assert match.header.options.long
    assert match.header.started is None
    assert match.header.engine.startswith("kifu ")
    assert {load(path).header.seed for path in first} == {match_seed(SEED, 0), match_seed(SEED, 1)}
    assert match.result is not None


def test_without_a_seed_a_fresh_one_is_printed_that_repeats_the_run(replay, tmp_path) -> None:
    first = replay("simulate", "take_and_share", "-o", tmp_path / "a").out
    seed = first.split("--seed ")[1].strip()
    replay("simulate", "take_and_share", "-o", tmp_path / "b", "--seed", seed)
    (a,), (b,) = ((tmp_path / folder).iterdir() for folder in ("a", "b"))
    assert (a.name, a.read_bytes()) == (b.name, b.read_bytes())


def test_a_log_that_its_seed_makes_again_is_not_forced_to_the_disk(replay, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: pytest.fail("waits for the disk"))
    assert replay("simulate", "cake", "--games", "2", "-o", tmp_path).code == 0
    assert len(list(tmp_path.glob("*.log"))) == 2


def test_json_tells_each_match(replay, tmp_path) -> None:
    out = replay("simulate", "take_and_share", "--games", 2, "-o", tmp_path, "--json").out
    for line in out.splitlines():
        data = json.loads(line)
        match = load(data["log"])
        assert data["points"] == list(match.result.points)
        assert data["events"] == len(match.events)
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize("name", games.names())
def test_the_options_of_every_game_are_read_as_they_are_spelt(name: str) -> None:
    game = games.find(name)
    wire = wire_of(game)
    values = wire.plain_options(game.options())
    parsed = parse_options(game, [f"{option}={format_value(value)}" for option, value in values.items()])
    assert (parsed.keys(), wire.options(parsed)) == (values.keys(), game.options())
