"""What `replay` prints with `--as SEAT` is equal, to the byte, for two matches that this seat must not distinguish."""

import attrs
import pytest
from kifu.core.game import TABLE
from kifu.core.log import Reading
from kifu.replay.app import run
from kifu.replay.commands import show, when

from .conftest import GAMES, indistinguishable

pytestmark = pytest.mark.ci

SHOWN = [(), ("--json",), ("--step", "0", "--json"), ("--lang", "ja", "--step", "0")]


@pytest.fixture
def printed(monkeypatch, capsys):
    """Return a function that prints a match for a viewer in every way."""

    def calls(match, viewer):
        seat = () if viewer == TABLE else ("--as", "spectator" if viewer is None else str(viewer))
        yield from (("show", "game.log", *seat, *more) for more in SHOWN)
        paths = [field.name for field in attrs.fields(type(match.state if viewer == TABLE else match.view(viewer)))]
        yield from (("when", "game.log", path, *seat) for path in (*paths, "to_act", "points", "winners"))
        yield from (("when", "game.log", path, *seat, "--json") for path in paths)

    def of(match, viewer):
        for module in (show, when):
            monkeypatch.setattr(module, "open_log", lambda _: (Reading(match=match, game=match.game), match))
        capsys.readouterr()
        return {call: (run(call), *capsys.readouterr()) for call in calls(match, viewer)}

    return of


@pytest.mark.parametrize("viewer", [1, None])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_printed_of_indistinguishable_matches_is_the_same(printed, name, viewer):
    first, second = (printed(match, viewer) for match in indistinguishable(name, viewer))
    assert {code for code, _, _ in first.values()} == {0}
    assert first == second


@pytest.mark.parametrize("name", GAMES)
def test_they_differ_for_the_table(printed, name):
    first, second = (printed(match, TABLE) for match in indistinguishable(name, 1))
    differ = {call for call in first if first[call] != second[call] and call[0] == "when"}
    assert differ, "what is hidden from the seat is apart: the test above would say nothing otherwise"
