"""How fast `replay serve` is: commands a second of fifty clients, and what a command of a watched match takes.

    pip install '.[web,replay]'
    python benchmarks/live.py [--workers 1 2] [--matches 2] [--watchers 200] [--json FILE]

Each of fifty clients plays matches of its own over one connection, a command at a time; every command is on disk before
its response. What is played was chosen before, so that the clients cost little; but they run on the same machine. The
watched match has 200 watchers; a command takes until the last of them has it. The ratio of a figure is to what the
first number of workers reaches.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import results
from attrs import define, field
from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.random_play import choose
from kifu.core.shuffle import Shuffler
from kifu.core.stores import open_store
from kifu.core.wire import wire_of
from results import Figure

GAME = "take_and_share"
SEATS = ["Aki", "Ren", "Mio", "Sou"]
CLIENTS = 50
AIMS = {"commands of fifty clients": 3000.0, "commands of fifty clients: p99": 50.0, "a watched command: p99": 100.0}
UNLIMITED = ("requests_per_s", "request_burst", "watches_per_client", "connections_per_client", "heads_per_client")


@define
class Prepared:
    """A match that was opened, and the requests that play it to its end."""

    match: str
    requests: list[bytes] = field(factory=list)


def prepare(host: Host) -> Prepared:
    """Open a match and choose all its commands."""
    opened = host.open(GAME, SEATS)
    match: Any = read_bytes(host.export_log(opened.match)).match
    prepared, draws = Prepared(opened.match), Shuffler(bytes(32), 1 << 31)
    keys = [str(key) for key in opened.keys]
    while (chosen := choose(match.position, draws)) is not None:
        seat, command = chosen
        tag, fields = wire_of(match.game).encode(command)
        body = {"tag": tag, "fields": fields, "expected_events": len(match.events)}
        body["idempotency_key"] = f"{len(match.events):032x}"
        prepared.requests.append(request("POST", f"/api/matches/{opened.match}/commands", keys[seat], body))
        match.play(*chosen)
    return prepared


def request(method: str, path: str, key: str, body: Any) -> bytes:
    content = json.dumps(body).encode()
    head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {key}"]
    head += ["Content-Type: application/json", f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(head).encode() + content


async def response(reader: asyncio.StreamReader) -> bytes:
    """Read one response; return its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    size = int(head.lower().partition(b"content-length:")[2].split(b"\r", 1)[0])
    await reader.readexactly(size)
    return head.split(b" ", 2)[1]


@asynccontextmanager
async def serving(workers: int, matches: int) -> AsyncIterator[tuple[int, list[Prepared]]]:
    """Serve so many prepared matches; yield the port and the matches."""
    with TemporaryDirectory() as folder:
        address = f"sqlite:{Path(folder) / 'kifu.db'}"
        store = open_store(address)
        host = Host(store)
        prepared = [prepare(host) for _ in range(matches)]
        store.close()
        command = [sys.executable, "-m", "kifu.replay", "serve", "--store", address, "--port", "0", "--quiet"]
        command += ["--workers", str(workers), "--bots", "random"]
        command += [each for name in UNLIMITED for each in ("--set-limit", f"{name}=1000000")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            line = await asyncio.to_thread(process.stdout.readline)
            port = int(line.partition("127.0.0.1:")[2].partition("/")[0])
            await asyncio.sleep(2 + workers)  # until all workers have begun
            yield port, prepared
        finally:
            process.send_signal(signal.SIGINT)
            await asyncio.to_thread(process.wait, 30)
            process.stdout.close()


async def play(port: int, matches: list[Prepared], waits: list[float]) -> None:
    """Play matches over one connection, noting how long each command takes, in ms."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for prepared in matches:
        for each in prepared.requests:
            began_s = time.perf_counter()
            writer.write(each)
            status = await response(reader)
            assert status == b"201", status
            waits.append(1000 * (time.perf_counter() - began_s))
    writer.close()


async def clients(workers: int, matches: int) -> tuple[float, list[float]]:
    """Return the commands a second of all clients, and how long each took."""
    async with serving(workers, (CLIENTS + 1) * matches) as (port, prepared):
        waits: list[float] = []
        await play(port, prepared[:matches], waits)
        waits.clear()
        shares = [prepared[client * matches : (client + 1) * matches] for client in range(1, CLIENTS + 1)]
        began_s = time.perf_counter()
        await asyncio.gather(*(play(port, share, waits) for share in shares))
        return len(waits) / (time.perf_counter() - began_s), waits


async def watcher(port: int, match: str, seen: list[float]) -> None:
    """Watch a match, and note at which instant each event came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = ["Host: localhost", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    head.append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
    path = f"/api/matches/{match}/watch"
    writer.write("\r\n".join([f"GET {path} HTTP/1.1", *head, "", ""]).encode() + b"")
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"\x81\x82\0\0\0\0{}")
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            first = await reader.readexactly(2)
            size = first[1] & 127
            if size > 125:
                size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
            if (await reader.readexactly(size)).startswith(b'{"event"'):
                seen.append(time.perf_counter())


async def watched(workers: int, watchers: int) -> list[float]:
    """Return how long each command took until the last watcher had its event, in ms."""
    async with serving(workers, 1) as (port, (prepared,)):
        seen: list[list[float]] = [[] for _ in range(watchers)]
        tasks = [asyncio.create_task(watcher(port, prepared.match, each)) for each in seen]
        while not all(seen):
            await asyncio.sleep(0.05)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        waits = []
        for each in prepared.requests:
            before, began_s = len(seen[0]), time.perf_counter()
            writer.write(each)
            assert await response(reader) == b"201"
            while any(len(events) <= before for events in seen):
                await asyncio.sleep(0.001)
            waits.append(1000 * (max(events[before] for events in seen) - began_s))
        for task in tasks:
            task.cancel()
        return waits


def figures(numbers: list[int], matches: int, watchers: int) -> Iterator[Figure]:
    """Measure each number of workers."""
    first: dict[str, float] = {}
    for workers in numbers:
        rate, waits = asyncio.run(clients(workers, matches))
        last = asyncio.run(watched(workers, watchers))
        values = {
            "commands of fifty clients": (rate, "a second"),
            "commands of fifty clients: p50": (quantiles(waits, n=100)[49], "ms"),
            "commands of fifty clients: p99": (quantiles(waits, n=100)[98], "ms"),
            "a watched command: p50": (quantiles(last, n=100)[49], "ms"),
            "a watched command: p99": (quantiles(last, n=100)[98], "ms"),
        }
        for name, (value, unit) in values.items():
            better = "more" if unit == "a second" else "less"
            kind = f"{name}, {workers} worker{'s' * (workers > 1)}"
            ratio = value / first.setdefault(name, value)
            to = f"{numbers[0]} worker{'s' * (numbers[0] > 1)}"
            yield Figure(kind, value, unit, ratio, to, better, AIMS.get(name), "value")  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--matches", type=int, default=2, help="of each client")
    parser.add_argument("--watchers", type=int, default=200)
    results.add_argument(parser)
    given = parser.parse_args()
    results.report("live", figures(given.workers, given.matches, given.watchers), given.json)


if __name__ == "__main__":
    main()
