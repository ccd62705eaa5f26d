"""How fast `replay serve` is: commands a second of fifty clients, and what a command of a watched match takes.

    pip install '.[web]'
    python benchmarks/live.py [--matches 2] [--watchers 200] [--json FILE]

Each of fifty clients plays matches of its own over one connection, a command at a time; every command is on disk before
its response. What is played was chosen before, so that the clients cost little; but they run on the same machine. The
watched match has 200 watchers; a command takes until the last of them has it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import chain
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import results
from attrs import define, field, frozen
from kifu.core.game.shuffle import Shuffler
from kifu.core.host import Host
from kifu.core.log import read_bytes
from kifu.core.match.random_play import choose
from kifu.core.stores import open_store
from kifu.core.wire import wire_of
from results import Figure

GAME = "take_and_share"
SEATS = ["Aki", "Ren", "Mio", "Sou"]
CLIENTS = 50
AIMS = {"commands of fifty clients": 3000.0, "commands of fifty clients: p99": 50.0, "a watched command: p99": 100.0}
UNLIMITED = ("processor_burst_s", "streams_per_client", "bot_matches_per_client")


@define
class Prepared:
    """A match that was opened, and the requests that play it to its end."""

    match: str
    requests: list[bytes] = field(factory=list)


@frozen
class Load:
    """What the fifty clients measured."""

    rate: float
    """Commands a second, of all."""
    waits_ms: list[float]
    server_us: float
    """Processor time for a command, of the server."""
    clients_us: float


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


def processor_s(process: int) -> float:
    """Return the processor time that a process and its children have taken; 0 where `/proc` does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_s, map(int, children)))


@asynccontextmanager
async def serving(matches: int) -> AsyncIterator[tuple[int, int, list[Prepared]]]:
    """Serve so many prepared matches; yield the server's process, its port and the matches."""
    with TemporaryDirectory() as folder:
        address = f"sqlite:{Path(folder) / 'kifu.db'}"
        store = open_store(address)
        host = Host(store)
        prepared = [prepare(host) for _ in range(matches)]
        store.close()
        command = [sys.executable, "-m", "kifu.replay", "serve", "--store", address, "--port", "0", "--quiet"]
        command += ["--bots", "random"]
        command += [each for name in UNLIMITED for each in ("--set-limit", f"{name}=1000000")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            line = await asyncio.to_thread(process.stdout.readline)
            port = int(line.partition("127.0.0.1:")[2].partition("/")[0])
            await asyncio.sleep(2)  # until it has begun
            yield process.pid, port, prepared
        finally:
            process.send_signal(signal.SIGINT)
            await asyncio.to_thread(process.wait, 30)
            process.stdout.close()


class Client:
    """One connection that plays matches, a command at a time, noting how long each takes."""

    def __init__(self, port: int, matches: list[Prepared], waits: list[float]) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._requests = chain.from_iterable(match.requests for match in matches)
        self._waits = waits
        self._began_s = 0.0
        self._response = b""

    def send(self) -> bool:
        """Send the next request; return False if there is none."""
        request = next(self._requests, None)
        if request is None:
            self.socket.close()
            return False
        self._began_s = time.perf_counter()
        self.socket.sendall(request)
        return True

    def receive(self) -> bool:
        """Read what there is of a response; return True once it is whole, and says that the command was accepted."""
        self._response += self.socket.recv(1 << 16)
        head, end, body = self._response.partition(b"\r\n\r\n")
        if not end or len(body) < int(head.partition(b"content-length: ")[2].split(b"\r", 1)[0]):
            return False
        self._waits.append(1000 * (time.perf_counter() - self._began_s))
        assert head.startswith(b"HTTP/1.1 201 "), head
        self._response = b""
        return True


def play(port: int, shares: list[list[Prepared]]) -> list[float]:
    """Play the matches of each client, all clients at the same time; return how long each command took, in ms.

    Plain sockets and one selector: it takes about 30 µs of processor time a command.
    """
    waits: list[float] = []
    with selectors.DefaultSelector() as selector:
        for share in shares:
            client = Client(port, share, waits)
            selector.register(client.socket, selectors.EVENT_READ, client)
        for key in list(selector.get_map().values()):
            key.data.send()
        while selector.get_map():
            for key, _ in selector.select():
                sock = key.data.socket
                if key.data.receive() and not key.data.send():
                    selector.unregister(sock)
    return waits


async def clients(matches: int) -> Load:
    """Return what it takes to play so many matches of each client, after one match of each to warm up."""
    async with serving(CLIENTS * (matches + 1)) as (server, port, prepared):
        shares = [prepared[client::CLIENTS] for client in range(CLIENTS)]
        await asyncio.to_thread(play, port, [share[:1] for share in shares])
        began_s, server_s, own_s = time.perf_counter(), processor_s(server), time.process_time()
        waits = await asyncio.to_thread(play, port, [share[1:] for share in shares])
        took_s = time.perf_counter() - began_s
        server_s, own_s = processor_s(server) - server_s, time.process_time() - own_s
        return Load(len(waits) / took_s, waits, 1e6 * server_s / len(waits), 1e6 * own_s / len(waits))


async def watcher(port: int, match: str, seen: list[float]) -> None:
    """Watch a match, and note at which instant each event came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /api/matches/{match}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    with suppress(ConnectionError):
        while line := await reader.readline():
            if line.startswith(b"id: "):
                seen.append(time.perf_counter())


async def watched(watchers: int) -> list[float]:
    """Return how long each command took until the last watcher had its event, in ms."""
    async with serving(1) as (_, port, (prepared,)):
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


def figures(matches: int, watchers: int) -> Iterator[Figure]:
    """Measure commands of many clients, and one match that many watch."""
    load = asyncio.run(clients(matches))
    waits = load.waits_ms
    last = asyncio.run(watched(watchers))
    values = {
        "commands of fifty clients": (load.rate, "a second"),
        "commands of fifty clients: p50": (quantiles(waits, n=100)[49], "ms"),
        "commands of fifty clients: p99": (quantiles(waits, n=100)[98], "ms"),
        "the server's processor time for a command": (load.server_us, "µs"),
        "the clients' processor time for a command": (load.clients_us, "µs"),
        "a watched command: p50": (quantiles(last, n=100)[49], "ms"),
        "a watched command: p99": (quantiles(last, n=100)[98], "ms"),
    }
    for name, (value, unit) in values.items():
        better = "more" if unit == "a second" else "less"
        yield Figure(name, value, unit, better=better, aim=AIMS.get(name), aims_at="value")  # type: ignore[arg-type]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2, help="of each client")
    parser.add_argument("--watchers", type=int, default=200)
    results.add_argument(parser)
    given = parser.parse_args()
    results.report("live", figures(given.matches, given.watchers), given.json)


if __name__ == "__main__":
    main()
