"""`replay games`: what can be played."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from kifu import games
from kifu.core.errors import GameError
from kifu.core.match import registry
from kifu.core.wire import wire_of

BROKEN = {
    "does not import": "raise ImportError('no dice')",
    "exits": "raise SystemExit(3)",
    "has no game": "GAME = 7",
    "has no such name": "",
    "is another game": "from kifu.games.cake import GAME",
    "raises in its options": """
from attrs import evolve, frozen
from kifu.games.cake import GAME as CAKE
@frozen
class Options:
    no_default: int
GAME = CAKE.altered(name="guest", options=Options)
""",
    "has a hostile name": "raise ValueError('\\x1b[31m' + 'x' * 5000)",
}


@pytest.fixture
def guest(tmp_path, monkeypatch):
    """Install a game of somebody else's, from its source."""

    def install(source: str) -> None:
        (tmp_path / "guest_module.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "guest_module", raising=False)
        monkeypatch.setitem(registry._entries(), "guest", EntryPoint("guest", "guest_module:GAME", registry.GAMES))

    registry.find.cache_clear()
    yield install
    registry.find.cache_clear()


@pytest.mark.parametrize("source", BROKEN.values(), ids=BROKEN)
def test_a_broken_game_is_named_with_its_error_and_all_others_are_listed(replay, guest, source) -> None:
    guest(source)
    called = replay("games", exits=1)
    (line,) = (line for line in called.out.splitlines() if line.startswith("✗ "))
    assert line.startswith("✗ game 'guest': ")
    assert "\x1b" not in called.out
    assert all(f"{name}  " in called.out for name in games.names() if name != "guest")
    listed = replay("games", "--json").lines
    assert [each["name"] for each in listed] == games.names()
    assert [each["name"] for each in listed if "error" in each] == ["guest"]


def test_a_broken_game_leaves_the_lobby_open_and_hides_no_match_of_another(guest) -> None:
    pytest.importorskip("starlette", reason="needs kifu[web]")
    from kifu.core.host import Host, Terms
    from kifu.core.stores import open_store
    from kifu.core.web import app
    from starlette.testclient import TestClient

    def find(name):
        if name == "cake":
            raise GameError(name, "broke")
        return games.find(name)

    store = open_store("memory:")
    lost, kept = (Host(store).open(game, 3, terms=Terms(public=True)).match for game in ("cake", "palace"))
    guest(BROKEN["has a hostile name"])
    with TestClient(app(Host(store, find=find), find=find), base_url="http://localhost") as client:
        assert [each["match"] for each in client.get("/api/matches").json()["matches"]] == [kept]
        assert client.get(f"/api/matches/{lost}").status_code == 404
        body = client.get("/api/games").json()
    assert [each["game"] for each in body["games"]] == [name for name in games.names() if name not in ("cake", "guest")]
    assert [each["game"] for each in body["broken"]] == ["cake", "guest"]
    assert all(0 < len(each["detail"]) < 500 for each in body["broken"])


def test_every_game_is_listed_with_seats_options_and_commands(replay) -> None:
    called = replay("games", "--json", exits=0)
    by_name = {each["name"]: each for each in called.lines}
    assert list(by_name) == games.names()
    for name, each in by_name.items():
        game = games.find(name)
        assert each["seats"] == list(game.seats)
        assert list(each["options"]) == list(wire_of(game).option_fields)
        assert list(each["commands"]) == list(game.wire.values())


def test_the_list_can_be_read(replay) -> None:
    out = replay("games").out
    assert "take_and_share  Take & Share  3 to 4 seats" in out
    assert "option long=false" in out
    assert "command play(card)" in out
    japanese = replay("games", "--lang", "ja").out
    assert all(words in japanese for words in ("3~4人、ルール第", "ロングゲーム"))


def test_the_types_of_a_game_of_ones_own_name_its_options_commands_and_views(replay) -> None:
    nim = Path(__file__).parents[3] / "docs" / "examples" / "nim.py"
    called = replay("games", nim, "--types", exits=0)
    assert called.out.startswith('import "kifu";\n\ndeclare module "kifu" {\n')
    assert 'command: { tag: "take"; fields: { count: number } };' in called.out
    assert "view: { viewer: number | null; heap: number;" in called.out
