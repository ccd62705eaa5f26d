"""The engine in node and chromium: its start against that of Pyodide alone, its calls, bytes and memory, as on a phone.

    pip install '.[web,dev]'
    python benchmarks/browser.py [--throttle 4] [--mbit 10] [--chromium PROGRAM] [--json FILE]

`--throttle` is by how much the processor is slowed (Chrome's developer tools have 4 for a phone of the middle class),
and `--mbit` what a phone's network carries in a second. What is compared with native CPython is measured without.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import subprocess
import tarfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import results
from kifu.replay.browser.matches import Known, Matches
from kifu.replay.browser.runtime import ARCHIVE, runtime_folder
from kifu.replay.browser.site import listed, write_site
from kifu.replay.call_errors import UserMessage
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, sync_playwright
from results import Figure

LOGS = sorted((Path(__file__).parents[1] / "fixtures").rglob("*.log"))
MB = 1_000_000
SEED = bytes(32)
GAMES = ("cake", "take_and_share", "gosne", "palace")
ROUNDS = 4
"""Of the same moves; the quickest counts."""
STARTS = 3
"""Of each kind; their median counts."""
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
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
BARE = """async () => {
  const { loadPyodide } = await import("./bare/pyodide.mjs");
  (await loadPyodide()).runPython("1 + 1");
}"""
FIRST_LEGAL = """async (worker) => {
  const { load } = await import("./package/kifu.js"), kifu = await load({ worker });
  const match = await kifu.new("cake", { seats: ["Aki", "Ren", "Mio"] });
  await match.legal(match.toAct[0]);
}"""
IN_NODE = {
    "bare": """import { loadPyodide } from "{folder}/bare/pyodide.mjs";
      (await loadPyodide()).runPython("1 + 1"); process.exit(0);""",
    "kifu": """import * as kifu from "{folder}/package/kifu.js";
      const match = await kifu.new("cake", { seats: ["Aki", "Ren", "Mio"] });
      await match.legal(match.toAct[0]); process.exit(0);""",
}
CALLS = """async (moves) => {
  const { load } = await import("./package/kifu.js"), kifu = await load({ worker: true }), took = {};
  const timed = async (name, call) => {
    const began = performance.now(), value = await call();
    took[name] = Math.max(took[name] ?? 0, performance.now() - began);
    return value;
  };
  const match = await kifu.new("mabr", { seats: ["Aki", "Ren", "Mio"], seed: "07".repeat(32) });
  for (let move = 0; move < moves && match.status === "going"; move += 1) {
    const [seat] = match.toAct;
    await timed("legal, the first 50", () => match.legal(seat, { limit: 50 }));
    await timed("view", () => match.view(seat));
    await timed("scene", () => match.scene(seat));
    await timed("words", () => match.words(seat, { since: match.count - 1 }));
    const command = await match.choose(seat, "easy", { seed: "07".repeat(32) });
    await timed("check", () => match.check(seat, command));
    await timed("play", () => match.play(seat, command));
  }
  kifu.close();
  return took;
}"""
AUDIT = """async ([names, times]) => {
  const { load } = await import(kifuTransport.engine), kifu = await load({ worker: true }), logs = [];
  for (const name of names) logs.push(new Uint8Array(await (await fetch(`logs/${name}`)).arrayBuffer()));
  await kifu.audit(logs[0]);
  const began = performance.now();
  for (let done = 0; done < times; done += 1) await kifu.audit(logs[done % logs.length]);
  return (performance.now() - began) / 1000;
}"""
BOTS = """async ([game, seats, seed, rounds]) => {
  const { load } = await import(kifuTransport.engine), kifu = await load({ worker: true }), took = [];
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
  const { startPython } = await import(new URL("engine.js", kifuTransport.engine));
  return (await startPython()).runPython(loop);
}"""


class Packed(http.server.SimpleHTTPRequestHandler):
    """A server of files that sends the packed one beside a file, as nginx does."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def translate_path(self, path: str) -> str:
        found = super().translate_path(path)
        return f"{found}.gz" if Path(f"{found}.gz").exists() else found

    def guess_type(self, path: Any) -> str:
        return super().guess_type(str(path).removesuffix(".gz"))

    def end_headers(self) -> None:
        if self.translate_path(self.path).endswith(".gz"):
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()


def served(folder: Path) -> str:
    """Serve a folder until the program ends; return its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Packed, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def beside(folder: Path) -> tuple[int, int]:
    """Put Pyodide beside a site, and an empty page; return the packed bytes of what each start loads."""
    (package,) = folder.glob("v-*/kifu")
    (folder / "package").symlink_to(package)
    (folder / "start.html").write_text("<!doctype html><title>t</title>")
    with tarfile.open(runtime_folder() / ARCHIVE) as archive:
        for name in PYODIDE:
            (folder / "bare" / name).parent.mkdir(exist_ok=True)
            (folder / "bare" / name).write_bytes(content := archive.extractfile(f"package/{name}").read())  # type: ignore[union-attr]  # it is a file
            (folder / "bare" / f"{name}.gz").write_bytes(gzip.compress(content))
    ours = [each for each in package.rglob("*") if each.suffix in {".js", ".wasm", ".zip"}]
    ours.append(package / "engine.data")  # the list of words comes when it is needed
    return packed(ours), packed([folder / "bare" / name for name in PYODIDE])


def packed(files: list[Path]) -> int:
    return sum(len(gzip.compress(each.read_bytes())) for each in files)


def start_s(context: BrowserContext, address: str, script: str, argument: bool, phone: tuple[float, float]) -> float:
    """Return how long a script takes in a page of its own."""
    page, (slower, mbit) = context.new_page(), phone
    page.goto(f"{address}start.html")
    cdp = context.new_cdp_session(page)
    if mbit:
        asked = {"offline": False, "latency": 40, "downloadThroughput": mbit * MB / 8, "uploadThroughput": -1}
        cdp.send("Network.emulateNetworkConditions", asked)
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    began_s = time.perf_counter()
    page.evaluate(script, argument)
    took_s = time.perf_counter() - began_s
    page.wait_for_timeout(3000)  # the browser keeps what it has compiled
    page.close()
    return took_s


def starts(chromium: BrowserType, program: str, address: str, phone: tuple[float, float]) -> Iterator[Figure]:
    """Compare starts from an empty cache and second ones, taking turns; `phone`: slower by what, and Mbit/s."""
    cases = {"bare": (BARE, False), "in a page": (FIRST_LEGAL, False), "in a worker": (FIRST_LEGAL, True)}
    if phone[1]:
        del cases["in a worker"]  # Chrome does not slow it
    took_s: dict[tuple[str, str], list[float]] = {}
    for _ in range(STARTS):
        for name, case in cases.items():
            with TemporaryDirectory() as kept:
                context = chromium.launch_persistent_context(kept, executable_path=program, args=["--no-sandbox"])
                context.set_default_timeout(TIMEOUT_MS)
                for time_ in ("first", "second"):
                    took_s.setdefault((time_, name), []).append(start_s(context, address, *case, phone))
                context.close()
    where = ", on a phone" if phone[1] else ""
    for (time_, name), each in took_s.items():
        if name != "bare":
            bare_s, aim = median(took_s[time_, "bare"]), 1.35 if time_ == "first" else 1.0
            yield Figure(
                f"{time_} start {name}{where}", median(each), "s", median(each) / bare_s, "Pyodide alone", aim=aim
            )


def start_in_node(folder: Path) -> Figure:
    """Compare how long processes of node take, taking turns."""
    took_s: dict[str, list[float]] = {name: [] for name in IN_NODE}
    for name, script in [*IN_NODE.items()] * STARTS:
        command = ["node", "--input-type=module", "-e", script.replace("{folder}", str(folder))]
        began_s = time.perf_counter()
        subprocess.run(command, check=True)
        took_s[name].append(time.perf_counter() - began_s)
    bare_s, ours_s = (median(each) for each in took_s.values())
    return Figure("start in node", ours_s, "s", ours_s / bare_s, "Pyodide alone", aim=1.35)


def throttled(browser: Browser, throttle: float) -> Page:
    """Return a page of a browser of its own, on a slowed processor."""
    page = browser.new_context(viewport={"width": 360, "height": 740}).new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    return page


def native_bots(game: str, seats: list[str]) -> float:
    """Return the seconds that the choices of `BOTS` take here, through the same calls."""
    calls = Matches(Known(UserMessage("forgotten", "the match was forgotten")))

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
    page.goto("about:blank")  # else only the place in the page would be another
    began_s = time.perf_counter()
    page.goto(f"{address}#play")
    page.locator("#do-open").wait_for()
    return time.perf_counter() - began_s


def largest_renderer_mb(browser: Browser) -> float:
    """Return the memory of the largest process of a page, with its part of what it shares with others."""
    found = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    texts = [Path(f"/proc/{each['id']}/smaps_rollup").read_text() for each in found if each["type"] == "renderer"]
    return max(int(text.partition("Pss:")[2].split()[0]) for text in texts) / 1000


def figures(browser: Browser, address: str, throttle: float) -> Iterator[Figure]:
    """Measure a site that is served."""
    names = [log.relative_to(LOGS[0].parents[1]).as_posix() for log in LOGS]
    page = throttled(browser, throttle)
    yield Figure("lobby, cold", lobby_s(page, address), "s", aim=8)
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    yield Figure("lobby, kept", lobby_s(page, address), "s", aim=4)
    took = sorted(page.evaluate(PLAY, 40))
    yield Figure("a command, p95", took[int(len(took) * 0.95)], "ms", aim=50)
    yield Figure("memory of the renderer", largest_renderer_mb(browser), "MB", aim=250)
    page.goto(address)
    yield Figure("100 logs audited", page.evaluate(AUDIT, [names, 100]), "s", aim=3)
    page.context.close()
    page = throttled(browser, 1)
    page.goto(f"{address}start.html")
    for name, slowest_ms in page.evaluate(CALLS, 60).items():
        yield Figure(f"mabr: {name}, slowest", slowest_ms, "ms", aim=50)
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
    parser.add_argument("--mbit", type=float, default=10)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    results.add_argument(parser)
    given = parser.parse_args()
    with TemporaryDirectory() as place, sync_playwright() as playing:
        folder = Path(place) / "site"
        write_site(folder, listed(LOGS, LOGS, []))
        address, (ours, bare) = served(folder), beside(folder)
        browser = playing.chromium.launch(executable_path=given.chromium, args=["--no-sandbox"])
        measured = [
            Figure("bytes to the first legal commands", ours / MB, "MB", ours / bare, "Pyodide alone", aim=1.2),
            start_in_node(folder),
            *starts(playing.chromium, given.chromium, address, (1, 0)),
            *starts(playing.chromium, given.chromium, address, (given.throttle, given.mbit)),
            *figures(browser, address, given.throttle),
        ]
        results.report("browser", measured, given.json)
        browser.close()


if __name__ == "__main__":
    main()
