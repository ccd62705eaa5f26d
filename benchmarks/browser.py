"""The engine in chromium, on a machine throttled like a phone: bytes, seconds to the lobby, commands, bots, audits.

    pip install '.[site,browser]'
    python benchmarks/browser.py [--throttle 4] [--chromium PROGRAM] [--json FILE]

`--throttle` is by how much the processor is slowed (Chrome's developer tools have 4 for a phone of the middle class);
what is compared with native CPython is measured without it. The site is served from this machine: a network adds
its own.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import results
from kifu.replay.browser.matches import Matches
from kifu.replay.browser.site import listed, write_site
from playwright.sync_api import Browser, Page, sync_playwright
from results import Figure

LOGS = sorted((Path(__file__).parents[1] / "fixtures").rglob("*.log"))
MB = 1_000_000
SEED = bytes(32)
GAMES = ("cake", "take_and_share", "gosne", "palace")
ROUNDS = 4
"""Of the same moves; the quickest counts."""
TIMEOUT_MS = 120_000

PLAY = """async (moves) => {
  const send = async (path, body, key) => (await kifuTransport.fetch(path.slice(1), { method: body ? "POST" : "GET",
    headers: { "Content-Type": "application/json", ...(key ? { Authorization: `Bearer ${key}` } : {}) },
    body: body ? JSON.stringify(body) : "" })).json();
  const seats = ["Aki", "Ren", "Mio"].map((name) => ({ name }));
  const { match, keys } = await send("/api/matches", { game: "cake", seats }), took = [];
  while (took.length < moves) {
    for (const { key } of keys) {
      const seen = await send(`/api/matches/${match}/observation`, null, key);
      if (seen.status !== "going") return took;
      if (!seen.legal.length) continue;
      const { tag, fields } = seen.legal[0], began = performance.now();
      const idempotency_key = took.length.toString(16).padStart(32, "0");
      const body = { tag, fields, expected_events: seen.count, idempotency_key };
      await send(`/api/matches/${match}/commands`, body, key);
      took.push(performance.now() - began);
    }
  }
  return took;
}"""
COMPILED = """async () => {
  const { openKept } = await import("../kifu/compiled.mjs");
  const storage = await openKept(new URL("../kifu/", location.href));
  while (!(await storage.all()).length) await new Promise((done) => setTimeout(done, 200));
}"""
AUDIT = """async ([names, times]) => {
  const { load } = await import("./kifu/kifu.mjs"), kifu = await load({ worker: true }), logs = [];
  for (const name of names) logs.push(new Uint8Array(await (await fetch(`logs/${name}`)).arrayBuffer()));
  await kifu.audit(logs[0]);
  const began = performance.now();
  for (let done = 0; done < times; done += 1) await kifu.audit(logs[done % logs.length]);
  return (performance.now() - began) / 1000;
}"""
BOTS = """async ([game, seats, seed, rounds]) => {
  const { load } = await import("./kifu/kifu.mjs"), kifu = await load({ worker: true }), took = [];
  for (let round = 0; round < rounds; round += 1) {
    const match = await kifu.new(game, { seats, seed });
    let chosen_ms = 0;
    for (let moves = 0; moves < 12 && match.status === "going"; moves += 1) {
      const [seat] = match.toAct, began = performance.now(), command = await match.choose(seat, "normal", { seed });
      chosen_ms += performance.now() - began;
      await match.play(seat, command);
    }
    took.push(chosen_ms / 1000);
  }
  kifu.close();
  return Math.min(...took);
}"""
LOOP = """
from time import perf_counter
def loop_s():
    began_s, total, kept = perf_counter(), 0, {}
    for each in range(60_000):
        total += each * 3 % 7
        kept[each % 512] = each, total
    return perf_counter() - began_s
min(loop_s() for _ in range(15))
"""
PURE = """async (loop) => {
  const { startPython } = await import("./kifu/engine.mjs");
  return (await startPython()).runPython(loop);
}"""


def served(folder: Path) -> str:
    """Serve a folder until the program ends; return its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def throttled(browser: Browser, throttle: float) -> Page:
    """Return a page of a browser of its own, on a slowed processor."""
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    return page


def native_bots(game: str, seats: list[str]) -> float:
    """Return the seconds that the choices of `BOTS` take here, through the same calls."""
    calls = Matches({})

    def round_s() -> float:
        facts, chosen_s = calls.new(game, seats, {}, SEED.hex()), 0.0
        for _ in range(12):
            if facts["status"] != "going":
                break
            number, seat, began_s = facts["number"], facts["to_act"][0], time.perf_counter()
            command = calls.choose(number, seat, "normal", SEED.hex())
            chosen_s += time.perf_counter() - began_s
            calls.play(number, seat, command)
            facts = calls.facts(number)
        return chosen_s

    return min(round_s() for _ in range(ROUNDS))


def native_loop() -> float:
    """Return the seconds of `LOOP` here."""
    given: dict[str, Any] = {}
    exec(LOOP.replace("\nmin(", "\ntook_s = min("), given)
    return float(given["took_s"])


def lobby_s(page: Page, address: str) -> float:
    """Return how long it takes until a match can be opened."""
    began_s = time.perf_counter()
    page.goto(f"{address}play/")
    page.locator("#do-open").wait_for()
    return time.perf_counter() - began_s


def largest_renderer_mb(browser: Browser) -> float:
    """Return the memory of the largest process of a page, with its part of what it shares with others."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    texts = [Path(f"/proc/{each['id']}/smaps_rollup").read_text() for each in found if each["type"] == "renderer"]
    return max(int(text.partition("Pss:")[2].split()[0]) for text in texts) / 1000


def figures(browser: Browser, folder: Path, throttle: float) -> Iterator[Figure]:
    """Measure a site that lies in a folder."""
    address, names = served(folder), [log.relative_to(LOGS[0].parents[1]).as_posix() for log in LOGS]
    parts = [path for path in folder.rglob("*") if path.is_file() and path.parts[-3] != "logs"]
    yield Figure(
        "transferred, compressed", sum(len(gzip.compress(each.read_bytes())) for each in parts) / MB, "MB", aim=7.5
    )
    page = throttled(browser, throttle)
    yield Figure("lobby, cold", lobby_s(page, address), "s", aim=8)
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    page.evaluate(COMPILED)  # what the first visit keeps for the second, in the background
    yield Figure("lobby, kept", lobby_s(page, address), "s", aim=4)
    took = sorted(page.evaluate(PLAY, 40))
    yield Figure("a command, p95", took[int(len(took) * 0.95)], "ms", aim=50)
    yield Figure("memory of the renderer", largest_renderer_mb(browser), "MB", aim=250)
    page.goto(address)
    yield Figure("100 logs audited", page.evaluate(AUDIT, [names, 100]), "s", aim=3)
    page.context.close()
    page = throttled(browser, 1)
    page.goto(address)
    here_s, there_s = native_loop(), page.evaluate(PURE, LOOP)
    yield Figure("a loop in Python alone", there_s, "s", there_s / here_s, "native CPython")
    for game in GAMES:
        seats = ["Aki", "Ren", "Mio", "Sou"][: 4 if game == "gosne" else 3]
        here_s, there_s = native_bots(game, seats), page.evaluate(BOTS, [game, seats, SEED.hex(), ROUNDS])
        yield Figure(f"{game}: twelve choices of normal", there_s, "s", there_s / here_s, "native CPython", aim=2.5)
    page.context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throttle", type=float, default=4)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    results.add_argument(parser)
    given = parser.parse_args()
    with TemporaryDirectory() as place, sync_playwright() as playing:
        folder = Path(place) / "site"
        write_site(folder, listed(LOGS, LOGS, []))
        browser = playing.chromium.launch(executable_path=given.chromium, args=["--no-sandbox"])
        results.report("browser", figures(browser, folder, given.throttle), given.json)
        browser.close()


if __name__ == "__main__":
    main()
