"""Attacks of strangers on `replay serve`, and how long another client waits meanwhile.

    pip install '.[web]'
    python benchmarks/attacks.py [--seconds 8] [--only NAME …] [--nginx] [--json FILE]

Each attack runs against a server of its own, over SQLite, with at most 1,024 open files; with `--nginx` behind nginx
with the configuration of `docs/deploy.md`. An honest client of another address asks for the lobby and for its match
20 times a second, and plays in it 4 times a second: for as long before the attack, which is the base, and during it.
Printed: the median, the 99th percentile and the longest of its waits in milliseconds, those of its moves, the base,
the requests that failed, the memory that the server holds more than before, and what the attacker got. Exits with 1 if
a p99 is over twice the base and 250 ms. The clients speak from addresses of their own in 127.0.0.0/8, so this needs
Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import kifu
import results
from floods import FLOODS
from kifu.core.game import TABLE, Meta, Takeback
from kifu.core.host import Host
from kifu.core.log import log_bytes
from kifu.core.stores import open_store
from results import Figure

OPEN_FILES = 1024
HONEST = "127.0.0.200"
TIMEOUT_S = 20.0
EVERY_S = 0.05
QUIET = ("--quiet",)
BOTS = (*QUIET, "--bots", "random,ismcts:300ms")
OPTIONS = {
    "unread": (),
    "bots": BOTS,
    "bots-of-many": (*BOTS, "--set-limit", "bot_matches_per_client=60"),
}
"""The options of the server under these attacks."""

Attack = Callable[["Server", float], Awaitable["Outcome"]]


OWN = {"lock": 1.5}
"""What no stranger does, but another program of the operator's: for how many seconds a move may wait for it."""


class Outcome(NamedTuple):
    """What an attacker got, in words, and what others had to wait for besides answers, in seconds."""

    text: str
    waits_s: dict[str, float] = {}  # noqa: RUF012 (no field is written)


class Server:
    """A running `replay serve`."""

    def __init__(self, port: int, folder: Path, errors: Path, key: str, process: int) -> None:
        self.port, self.folder, self.errors, self.key, self.process = port, folder, errors, key, process

    async def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        client: str,
        key: str | None = None,
        heads: Sequence[str] = (),
    ) -> tuple[int, Any]:
        """Send one request from an address; return the status and the body (0: no answer)."""
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", f"Content-Length: {len(content)}"]
        lines += ["Content-Type: application/json"] if content else []
        lines += [f"Authorization: Bearer {key}"] if key else []
        lines += heads
        try:
            async with asyncio.timeout(TIMEOUT_S):
                reader, writer = await self.connect(client)
                try:
                    writer.write("\r\n".join([*lines, "", ""]).encode() + content)
                    answer = await reader.read()
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return 0, None
        head, _, rest = answer.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head else 0
        with suppress(ValueError):
            return status, json.loads(rest)
        return status, None

    async def connect(self, client: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(client, 0))

    async def watcher(
        self, match: str, client: str, since: int = 0
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Watch a match from an event on; return once the stream has begun."""
        reader, writer = await self.connect(client)
        writer.write(f"GET /api/matches/{match}/events?since={since} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        if not (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200"):
            raise ConnectionRefusedError
        return reader, writer

    def megabytes(self) -> float:
        """Return how much memory the server holds."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6

    async def open(self, client: str, seats: list[Any], game: str = "take_and_share", **more: Any) -> dict[str, Any]:
        status, body = await self.request("POST", "/api/matches", {"game": game, "seats": seats, **more}, client=client)
        if status != 201:
            raise RuntimeError(f"not opened: {status} {body}")
        return dict(body)


@asynccontextmanager
async def serving(
    open_files: int = OPEN_FILES, more: Sequence[str] = QUIET, *, reads_errors: bool = True, behind_nginx: bool = False
) -> AsyncIterator[Server]:
    """Serve from a store of its own, and stop the server at the end. `reads_errors`: its stderr goes to a file."""
    with TemporaryDirectory() as place, ExitStack() as stack:
        folder, errors = Path(place), Path(place) / "errors"
        address = f"sqlite:{folder / 'kifu.db'}"
        key = store_long_match(address)
        command = [sys.executable, "-m", "kifu.replay", "serve", "--store", address, "--port", "0"]
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))  # noqa: E731
        with errors.open("w") as log:
            process = subprocess.Popen(
                [*command, *more],
                stdout=subprocess.PIPE,
                stderr=log if reads_errors else subprocess.PIPE,
                text=True,
                preexec_fn=limit,
            )
            assert process.stdout is not None
            line = await asyncio.to_thread(process.stdout.readline)
            port = int(line.partition("127.0.0.1:")[2].partition("/")[0])
            try:
                front = stack.enter_context(_nginx(folder, port)) if behind_nginx else port
                yield Server(front, folder, errors, key, process.pid)
            finally:
                process.send_signal(signal.SIGINT)
                try:
                    await asyncio.to_thread(process.wait, 15)
                except subprocess.TimeoutExpired:
                    process.kill()
                process.stdout.close()


@contextmanager
def _nginx(folder: Path, upstream: int) -> Iterator[int]:
    """Run nginx before a server, with the configuration of the guide; yield its port."""
    from hosts import nginx

    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    folder.chmod(0o755)
    process = nginx(folder, port, [upstream])
    try:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(15)


async def honest(port: int) -> None:
    """Ask and play as an honest client does; print the waits in milliseconds of two times, each up to a line."""
    server = Server(port, Path(), Path(), "", 0)
    times: list[tuple[list[float], list[float]]] = []
    failures: Counter[str] = Counter()
    opened = await server.open(HONEST, [{"name": "a"}, {"name": "b"}, {"name": "c"}])

    async def timed(waits: list[float], method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        began_s = time.perf_counter()
        status, answer = await server.request(method, path, body, client=HONEST, key=key)
        waits.append(1000 * (time.perf_counter() - began_s))
        if status not in (200, 201):
            failures[f"{method} {status}"] += 1
        return answer or {}

    async def play(asks: list[float], moves: list[float], stop: asyncio.Future[str]) -> None:
        nonlocal opened
        while not stop.done():
            for seat in opened["keys"]:
                path = f"/api/matches/{opened['match']}"
                seen = await timed(asks, "GET", f"{path}/observation", key=seat["key"])
                if seen.get("status") == "over":
                    opened = await server.open(HONEST, [{"name": "a"}, {"name": "b"}, {"name": "c"}])
                    break
                if seen.get("legal"):
                    body = {part: seen["legal"][0][part] for part in ("tag", "fields")}
                    body |= {"expected_events": seen["count"], "idempotency_key": secrets.token_hex(8)}
                    await timed(moves, "POST", f"{path}/commands", body, seat["key"])
            await asyncio.sleep(5 * EVERY_S)

    for _ in range(2):
        stop = asyncio.ensure_future(asyncio.to_thread(sys.stdin.readline))
        asks, moves = list[float](), list[float]()
        playing, asked = asyncio.create_task(play(asks, moves, stop)), []
        while not stop.done():
            paths = ("/api/matches", f"/api/matches/{opened['match']}/observation")
            asked += [asyncio.create_task(timed(asks, "GET", path)) for path in paths]
            await asyncio.sleep(2 * EVERY_S)
        await asyncio.gather(playing, *asked)
        times.append((asks, moves))
    print(json.dumps([times, failures]))


class Measured(NamedTuple):
    """What an attack did to an honest client, in milliseconds, and to the server's memory."""

    p50: float
    p99: float
    base: float
    """The 99th percentile before the attack."""
    move: float
    """The 99th percentile of a move."""
    kept_mb: float
    waits_s: dict[str, float]

    @property
    def is_too_slow(self) -> bool:
        """Whether another client waits for more than twice the base and 250 ms."""
        return max(self.p99, self.move) > 2 * self.base + 250


async def measure(name: str, seconds: float, *, behind_nginx: bool) -> Measured:
    """Run an attack, and print what it did to an honest client, a process of its own."""
    more = OPTIONS.get(name, QUIET)
    async with serving(more=more, reads_errors=name != "unread", behind_nginx=behind_nginx) as server:
        await server.request("GET", "/api/games", client=HONEST)  # loads all games, which nobody has to attack for
        command = [sys.executable, __file__, "--honest", str(server.port)]
        client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert client.stdin is not None
        await asyncio.sleep(seconds + 1)
        client.stdin.write("\n")
        client.stdin.flush()
        before_mb = server.megabytes()
        attack = ATTACKS.get(name)
        outcome = await attack(server, seconds) if attack else Outcome(await FLOODS[name](server, seconds))
        output, _ = await asyncio.to_thread(client.communicate, "\n")
        await asyncio.sleep(1)
        kept_mb, log_mb = server.megabytes() - before_mb, server.errors.stat().st_size / 1e6
    (before, during), failures = json.loads(output)
    (p50, p99), moves = _ranked(during[0]), _ranked(during[1])
    measured = Measured(p50, p99, max(_ranked(each)[1] for each in before), moves[1], kept_mb, outcome.waits_s)
    print(f"{name:<22} p50 {p50:7.1f}  p99 {p99:7.1f}  max {max(during[0]):7.1f}  move {moves[1]:7.1f}", end="  ")
    print(
        f"base {measured.base:6.1f} ms  failed {failures or 0}  memory {kept_mb:+.0f} MB  log {log_mb:.1f} MB", end="  "
    )
    print(f"{'TOO SLOW  ' if measured.is_too_slow else ''}{outcome.text}", flush=True)
    return measured


def _ranked(waits: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    ranked = sorted(waits) or [0.0]
    return ranked[len(ranked) // 2], ranked[min(len(ranked) - 1, int(len(ranked) * 0.99))]


async def none(_: Server, seconds: float) -> Outcome:
    await asyncio.sleep(seconds)
    return Outcome("")


async def watchers(server: Server, seconds: float) -> Outcome:
    """1,017 watchers from 17 addresses."""
    match = (await server.open("127.0.1.1", [{}, {}, {}]))["match"]
    held, refused = [], 0
    for number in range(1017):
        try:
            async with asyncio.timeout(5):
                held.append(await server.watcher(match, f"127.0.1.{1 + number % 17}"))
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            refused += 1
    await asyncio.sleep(seconds)
    for _, writer in held:
        writer.close()
    return Outcome(f"{len(held)} watch, {refused} refused")


async def half_sent(server: Server, seconds: float) -> Outcome:
    """1,100 half-sent requests from one client."""
    held = []
    for _ in range(1100):
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(2):
                reader, writer = await server.connect("127.0.1.1")
                writer.write(b"GET / HTTP/1.1\r\nHost: loc")
                held.append((reader, writer))
    await asyncio.sleep(seconds)
    unanswered = 0
    for reader, writer in held:
        try:
            async with asyncio.timeout(0.01):
                await reader.read(1)
        except TimeoutError:
            unanswered += 1
        except OSError:
            pass
        writer.close()
    return Outcome(f"{unanswered} of {len(held)} are still held")


async def forks(server: Server, seconds: float) -> Outcome:
    """150 forks at once of a match that ended after about 2,000 events, again and again."""
    until_s = time.monotonic() + seconds
    made: Counter[int] = Counter()

    async def fork() -> None:
        while time.monotonic() < until_s:
            body = {"kind": "fork", "target": 2000}
            status, _ = await server.request(
                "POST", "/api/matches/long/proposals", body, client="127.0.1.1", key=server.key
            )
            made[status] += 1

    await asyncio.gather(*(fork() for _ in range(150)))
    return Outcome(f"{made[201]} forks, refused {made[429] + made[503]}, unanswered {made[0]}")


def store_long_match(address: str) -> str:
    """Store a match of 2,000 events that is over; return the key of its first seat."""
    match = kifu.new("take_and_share", ["a", "b", "c"], seed=bytes(32), match="long", started=0)
    while len(match.events) < 2000:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
        match.apply(TABLE, Takeback(0), Meta(0, by="seat 0"))
    while match.to_act:
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    store = open_store(address)
    key = Host(store).import_log(log_bytes(match)).keys[0]
    store.close()
    assert key is not None
    return key


async def bots(server: Server, seconds: float) -> Outcome:
    """60 matches of six ismcts:300ms alone; how late are turn limits of one second, and bots, in others' matches."""
    opened: Counter[bool] = Counter()
    for _ in range(60):
        body = {"game": "palace", "seats": [{"bot": "ismcts:300ms"}] * 6, "bot_delay_ms": 0}
        status, _ = await server.request("POST", "/api/matches", body, client="127.0.1.1")
        opened[status == 201] += 1
    await asyncio.sleep(1)
    people, until_s = [{"name": "b"}, {"name": "c"}], time.monotonic() + seconds
    waits: dict[str, list[float]] = {"a limit of 1 s": [], "another's bot": []}

    async def wait(what: str, first: Any, client: str, **more: Any) -> None:
        match = (await server.open(client, [first, *people], **more))["match"]
        began_s = time.monotonic()
        while time.monotonic() - began_s < TIMEOUT_S:
            _, body = await server.request("GET", f"/api/matches/{match}/history", client=client)
            if body is not None and body["count"] > 1:
                break
            await asyncio.sleep(0.02)
        waits[what].append(time.monotonic() - began_s)

    number = 0
    while time.monotonic() < until_s:
        number += 1
        await asyncio.gather(
            wait("a limit of 1 s", {"name": "a"}, f"127.0.5.{number}", turn_limit_ms=1000),
            wait("another's bot", {"bot": "random"}, f"127.0.6.{number}", bot_delay_ms=1000),
        )
    longest = {f"{what}, the longest of {len(each)}": max(each) for what, each in waits.items()}
    middle = {f"{what}, the median": sorted(each)[len(each) // 2] for what, each in waits.items()}
    words = ", ".join(f"{what} {wait_s:.2f} s" for what, wait_s in longest.items())
    return Outcome(f"{opened[True]} opened; {words}", {**middle, **longest})


async def unread(server: Server, _: float) -> Outcome:
    """3,000 requests to a server whose standard error nobody reads."""
    answers: Counter[int] = Counter()

    async def ask(client: str) -> None:
        for _ in range(300):
            answers[(await server.request("GET", "/api/games", client=client))[0]] += 1

    await asyncio.gather(*(ask(f"127.0.7.{1 + number}") for number in range(10)))
    return Outcome(f"answered {dict(answers)}")


async def lock(server: Server, _: float) -> Outcome:
    """Another program holds the write lock of SQLite's file."""
    opened = await server.open("127.0.1.1", [{}, {}, {}])
    database = sqlite3.connect(server.folder / "kifu.db", isolation_level=None, check_same_thread=False)
    database.execute("BEGIN IMMEDIATE")
    statuses: Counter[int] = Counter()
    waits: list[float] = []

    async def join() -> None:
        began_s = time.perf_counter()
        status, _ = await server.request(
            "POST", f"/api/matches/{opened['match']}/seats", {"name": "x"}, client="127.0.1.1"
        )
        waits.append(time.perf_counter() - began_s)
        statuses[status] += 1

    async def open_() -> None:
        began_s = time.perf_counter()
        body = {"game": "cake", "seats": [{}, {}, {}]}
        statuses[(await server.request("POST", "/api/matches", body, client="127.0.1.2"))[0]] += 1
        waits.append(time.perf_counter() - began_s)

    await asyncio.gather(*(join() for _ in range(20)), *(open_() for _ in range(40)))
    database.execute("ROLLBACK")
    database.close()
    return Outcome(f"writes answered {dict(statuses)}", {"the slowest write": max(waits)})


async def seats(server: Server, _: float) -> Outcome:
    """One client takes all free seats of 100 public matches."""
    opened = [(await server.open(f"127.0.2.{1 + number // 50}", [{}, {}, {}], public=True)) for number in range(100)]
    taken: Counter[int] = Counter()

    async def join(match: str) -> None:
        status, _ = await server.request("POST", f"/api/matches/{match}/seats", {"name": "x"}, client="127.0.1.1")
        taken[status] += 1

    await asyncio.gather(*(join(each["match"]) for each in opened for _ in range(3)))
    return Outcome(f"{taken[201]} of 300 seats taken")


ATTACKS: dict[str, Attack] = {
    "none": none,
    "watchers": watchers,
    "half-sent": half_sent,
    "forks of a client": forks,
    "bots": bots,
    "bots-of-many": bots,
    "unread": unread,
    "lock": lock,
    "seats": seats,
}


def figures(names: Iterable[str], seconds: float, *, behind_nginx: bool) -> Iterator[Figure]:
    """Return the honest client's waits under each attack, as ratios to those before it."""
    for name in names:
        measured = asyncio.run(measure(name, seconds, behind_nginx=behind_nginx))
        base = measured.base
        yield Figure(f"{name}: p50", measured.p50, "ms", measured.p50 / base, "the base p99")
        yield Figure(f"{name}: p99", measured.p99, "ms", measured.p99 / base, "the base p99", aim=2 + 250 / base)
        aim = 2 + (250 + 1000 * OWN.get(name, 0)) / base
        yield Figure(f"{name}: p99 of a move", measured.move, "ms", measured.move / base, "the base p99", aim=aim)
        yield Figure(f"{name}: memory kept", measured.kept_mb, "MB", aim=20)
        for what, wait_s in measured.waits_s.items():
            yield Figure(f"{name}: {what}", wait_s, "s")


def raise_open_files() -> None:
    """Let this process open as many files as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, 8192), hard))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--only", nargs="*", choices=sorted({*ATTACKS, *FLOODS}), default=[])
    parser.add_argument("--nginx", action="store_true", help="put nginx before the server")
    parser.add_argument("--honest", type=int, metavar="PORT", help=argparse.SUPPRESS)
    results.add_argument(parser)
    given = parser.parse_args()
    if given.honest:
        asyncio.run(honest(given.honest))
        return
    raise_open_files()
    names = given.only or [*ATTACKS, *FLOODS]
    results.report("attacks", figures(names, given.seconds, behind_nginx=given.nginx), given.json)


if __name__ == "__main__":
    main()
