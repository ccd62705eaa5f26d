"""The four small frontends of `docs/examples` play whole matches: two terminals, a chat, a page in plain JavaScript."""

import asyncio
import http.server
import itertools
import re
import signal
import subprocess
import sys
import threading
from functools import partial
from importlib import import_module
from pathlib import Path

import kifu
import pytest
from kifu.core.host import Host
from kifu.core.stores import open_store

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
FLUENT = "import sys; sys.modules.update(dict.fromkeys(('fluent', 'fluent.runtime', 'fluent.syntax', 'babel')))\n"


def test_the_hot_seat_is_short_and_plays_to_the_end(monkeypatch, tmp_path, capsys) -> None:
    assert len((EXAMPLES / "hot_seat.py").read_text().splitlines()) < 80
    monkeypatch.chdir(tmp_path)
    answers = iter(["x", "99"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers, "0") if "which" in prompt else "")
    import_module("hot_seat").main("take_and_share", "Aki", "Ren", "Mio")
    out = capsys.readouterr().out
    assert out.count("none of the numbers") == 2
    assert "Points: " in out
    assert kifu.load("hot_seat.log").result is not None


@pytest.mark.ci
def test_the_hot_seat_needs_no_extra(tmp_path) -> None:
    code = f"{FLUENT}sys.argv = ['hot_seat.py', 'take_and_share', 'Aki', 'Ren', 'Mio']\n"
    code += f"exec(open({str(EXAMPLES / 'hot_seat.py')!r}).read())"
    done = subprocess.run(
        [sys.executable, "-c", code], input="\n0\n" * 200, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Points: " in done.stdout


@pytest.mark.ci
@pytest.mark.parametrize(
    ("lang", "title", "nothing"), [("en", "Palace", "left to undo"), ("ja-JP", "王国", "取り消せるものがない")]
)
def test_the_player_among_bots_undoes_leaves_and_plays_on_to_the_end(
    monkeypatch, tmp_path, capsys, lang: str, title: str, nothing: str
) -> None:
    assert len((EXAMPLES / "solo.py").read_text().splitlines()) < 100
    monkeypatch.chdir(tmp_path)
    main = import_module("solo").main
    answers = iter(["u", "x", "99", "1", "u", "1", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    main("palace", "my.log", "random", lang)
    left = kifu.load("my.log")
    assert left.result is None
    assert len(left.effective) < len(left.events)
    monkeypatch.setattr("builtins.input", lambda _: "1")
    main("palace", "my.log", "random", lang)
    out = capsys.readouterr().out
    assert title in out
    assert nothing in out
    ended = kifu.load("my.log")
    assert ended.events[: len(left.events)] == left.events
    assert ended.result is not None


@pytest.mark.ci
def test_the_chat_bot_plays_a_match_and_tells_each_player_its_own_cards_alone() -> None:
    told: dict[str, list[str]] = {name: [] for name in ("Aki", "Ren", "Mio", "Sou")}
    tasks: list[asyncio.Task] = []
    ids = itertools.count()

    async def run() -> None:
        async def send(player: str, text: str) -> None:
            told[player].append(text)
            if text.startswith("Your turn"):
                tasks.append(asyncio.create_task(table.receive(player, "0", next(ids))))

        table = import_module("chat_bot").ChatTable(Host(open_store("memory:")), "take_and_share", 3, send)
        await table.receive("Aki", "0", next(ids))
        for player in told:
            await table.receive(player, "join", next(ids))  # Sou comes too late
        await table.receive("Aki", "nonsense", next(ids))
        await asyncio.wait_for(table.ended.wait(), 120)
        await asyncio.gather(*table.followers, *tasks)

    asyncio.run(run())
    assert told["Aki"][0] == "Write: join"
    assert len(told["Sou"]) == 1
    for player in ("Aki", "Ren", "Mio"):
        assert re.search("wins|share the victory", told[player][-1])
        hands = [text for text in told[player] if re.search(r"([♠♥♦♣★☾]\d+ ?){10}", text) and "\n" not in text]
        hands = [text for text in hands if not all(text in told[each] for each in ("Aki", "Ren", "Mio"))]
        assert [text for text in hands if player not in text] == []
        assert len(hands) == 1


def test_a_message_that_the_chat_delivers_twice_is_one_command() -> None:
    """At once, and after others have played: no second command, and no complaint."""
    told: list[tuple[str, str]] = []

    async def run() -> int:
        async def send(player: str, text: str) -> None:
            told.append((player, text))

        table = import_module("chat_bot").ChatTable(Host(open_store("memory:")), "take_and_share", 3, send)
        for number, player in enumerate(("Aki", "Ren", "Mio")):
            await table.receive(player, "join", f"join {number}")
        counts = []
        for message, player in enumerate(("Aki", "Ren", "Aki")):
            if message < 2:
                while player not in table.offered:
                    await asyncio.sleep(0.01)
                await asyncio.gather(table.receive(player, "0", message), table.receive(player, "0", message))
            else:
                await table.receive("Aki", "0", 0)  # the first message comes a third time, much later
            counts.append((await table.host.observe(table.match)).count)
        for each in table.followers:
            each.cancel()
        return counts

    assert asyncio.run(run()) == [2, 3, 3], "the deal and one command; one more; none"
    assert not [text for _, text in told if "faster" in text or "not" in text.split()]


@pytest.fixture
def page():
    """The address of the example page, served by itself."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(http.server.SimpleHTTPRequestHandler, directory=EXAMPLES / "page")
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def tables(page):
    """The address of a server whose tables the page may use."""
    command = [sys.executable, "-m", "kifu.replay", "serve", "--store", "memory:", "--port", "0", "--quiet"]
    with subprocess.Popen(
        [*command, "--bots", "random", "--origin", page], stdout=subprocess.PIPE, text=True
    ) as server:
        yield re.search(r"http://\S+", server.stdout.readline())[0].rstrip("/")
        server.send_signal(signal.SIGINT)


@pytest.mark.ci
def test_the_page_plays_a_match_against_bots(request, page) -> None:
    pytest.importorskip("uvicorn", reason="needs kifu[web]")
    pytest.importorskip("playwright", reason="needs kifu[dev]")
    tab = request.getfixturevalue("browser").new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(page)
    tab.locator("#server").fill(request.getfixturevalue("tables"))
    tab.locator("#open button").click()
    points = tab.get_by_text("Points: ")
    for _ in range(3000):
        if points.count():
            break
        tab.evaluate("document.querySelector('#commands button')?.click()")
        tab.wait_for_timeout(15)
    assert points.count() == 1, tab.locator("#trouble").inner_text()
    assert tab.locator("#notes li").count() > 50
    assert (wrong, tab.locator("#trouble").inner_text()) == ([], "")
    tab.close()
