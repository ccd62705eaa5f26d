"""A live log: the stepper goes on with it as it grows."""

from pathlib import Path

import pytest
from kifu.core.log import LogWriter, log_bytes, read

from .conftest import Person, played, step


@pytest.mark.long
def test_who_stands_at_the_end_stays_there_and_others_stay_where_they_are(tmp_path: Path) -> None:
    match = played("take_and_share")
    whole = log_bytes(match)
    path = tmp_path / "live.log"
    sizes = sizes_of(whole, match)
    path.write_bytes(whole[: sizes[5]])

    async def person(one: Person) -> None:
        assert one.at == 4
        assert "● live" in one.pane("title")
        path.write_bytes(whole[: sizes[7] + 3])
        await one.until(lambda: one.at == 6)
        assert one.app.navigation.findings == (), "a tail that is being written is no fault"
        assert len(one.app.navigation._indexes) == 1
        await one.press("left")
        path.write_bytes(whole[: sizes[9]])
        await one.until(lambda: one.app.navigation.record.count == 9)
        assert one.at == 5
        one.app.navigation.fork(5, *next(one.app.navigation.record.choices(5, -1)))
        path.write_bytes(whole)
        await one.until(lambda: one.app.navigation.ended)
        assert one.at == 6
        await one.press("escape", "end")
        assert one.at == len(match.events) - 1
        assert "● ended" in one.pane("title")

    step(read(path), person, live=path)


def sizes_of(whole: bytes, match) -> list[int]:
    """Where the log ends after its header and each event."""
    import msgpack

    unpacker = msgpack.Unpacker(strict_map_key=False)
    unpacker.feed(whole)
    sizes = []
    for _ in range(len(match.events) + 1):
        unpacker.skip()
        sizes.append(unpacker.tell())
    return sizes


@pytest.mark.long
def test_it_begins_with_no_step_and_plays_on_as_they_come(tmp_path: Path) -> None:
    match = played("take_and_share", most=4)
    path = tmp_path / "live.log"
    whole = log_bytes(match)
    sizes = sizes_of(whole, match)
    path.write_bytes(whole[: sizes[0]])

    async def person(one: Person) -> None:
        assert one.at == -1
        path.write_bytes(whole[: sizes[1]])
        await one.until(lambda: one.at == 0)
        path.unlink()
        await one.until(lambda: "cannot be read" in one.notices or "No such file" in one.notices)
        path.write_bytes(whole[: sizes[3]])
        await one.until(lambda: one.at == 2)

    step(read(path), person, live=path)


@pytest.mark.long
def test_what_is_wrong_in_a_live_log_is_still_found(tmp_path: Path) -> None:
    path = tmp_path / "live.log"
    whole = bytearray(log_bytes(played("take_and_share", most=8)))
    path.write_bytes(whole)

    async def person(one: Person) -> None:
        whole[-60] ^= 1
        path.write_bytes(whole + b"\x01")
        await one.until(lambda: one.app.navigation.findings)

    step(read(path), person, live=path)


@pytest.mark.ci
def test_a_match_is_followed_while_it_is_written(tmp_path: Path) -> None:
    match = played("cake", most=4)
    path = tmp_path / "live.log"
    with LogWriter.create(path, match.game, match.header) as writer:

        async def person(one: Person) -> None:
            for step in match.steps:
                writer.append(step)
                await one.until(lambda at=step.seq: one.at == at)
            writer.end(match)
            await one.until(lambda: one.app.navigation.ended)
            assert one.app.navigation.findings == ()

        step(read(path), person, live=path)


@pytest.mark.ci
def test_a_fork_is_made_where_it_was_begun_though_the_log_grows_meanwhile(tmp_path: Path) -> None:
    match = played("take_and_share")
    whole = log_bytes(match)
    path = tmp_path / "live.log"
    sizes = sizes_of(whole, match)
    path.write_bytes(whole[: sizes[6]])

    async def person(one: Person) -> None:
        await one.press("f")
        path.write_bytes(whole[: sizes[8]])
        await one.until(lambda: one.at == 7)
        await one.press("enter")
        assert one.app.navigation.record.forked == 5
        assert one.at == 6
        await one.press("escape")
        assert one.at == 5

    step(read(path), person, live=path)
