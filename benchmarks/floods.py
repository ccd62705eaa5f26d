"""What strangers send for `attacks.py`: floods of pipelined or costly requests, and slow ones."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attacks import Server

Flood = Callable[["Server", float], Awaitable[str]]
"""An attack for so many seconds; it returns what the attacker got, in words."""
PEOPLE: list[dict[str, str]] = [{}, {}, {}]


def get(path: str, *heads: str) -> bytes:
    """Return a request for a path."""
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *heads, "", ""]).encode()


async def _pour(server: Server, seconds: float, client: str, first: bytes, data: bytes, pause_s: float = 0) -> int:
    """Send the same bytes over and over, on a new connection after each close; return how many connections it took."""
    until_s, connections = time.monotonic() + seconds, 0
    while time.monotonic() < until_s:
        with suppress(OSError, TimeoutError):
            reader, writer = await server.connect(client)
            connections += 1
            reading = asyncio.create_task(_drain(reader))
            try:
                writer.write(first)
                while time.monotonic() < until_s and not reading.done():
                    writer.write(data)
                    async with asyncio.timeout(max(until_s - time.monotonic(), 0.01)):
                        await writer.drain()
                    await asyncio.sleep(pause_s)
            finally:
                reading.cancel()
                writer.transport.abort()
        await asyncio.sleep(0.01)
    return connections


async def _drain(reader: asyncio.StreamReader) -> None:
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


def pouring(data: bytes, connections: int = 1, *, first: bytes = b"", pause_s: float = 0) -> Flood:
    """Return an attack that sends these bytes for as long as it lasts."""

    async def attack(server: Server, seconds: float) -> str:
        clients = [f"127.0.1.{1 + number}" for number in range(connections)]
        taken = await asyncio.gather(*(_pour(server, seconds, each, first, data, pause_s) for each in clients))
        return f"{sum(taken)} connections"

    return attack


def asking(
    path: str | Callable[[int], str],
    at_once: int = 40,
    *,
    method: str = "GET",
    body: Any = None,
    heads: Sequence[str] = (),
    key: str | None = None,
) -> Flood:
    """Return an attack by one client that asks again as soon as it is answered, so many times at once."""

    async def attack(server: Server, seconds: float) -> str:
        until_s, answers, number = time.monotonic() + seconds, Counter[int](), 0

        async def ask() -> None:
            nonlocal number
            while time.monotonic() < until_s:
                number += 1
                where = path if isinstance(path, str) else path(number)
                status, _ = await server.request(
                    method, where, body, client="127.0.1.1", key=key or server.key, heads=heads
                )
                answers[status] += 1

        await asyncio.gather(*(ask() for _ in range(at_once)))
        return f"answered {dict(answers)}"

    return attack


async def proposals(server: Server, seconds: float) -> str:
    """Ends proposed and withdrawn in a match of one's own, as fast as it goes."""
    opened = await server.open("127.0.1.1", [{"name": "a"}, {"name": "b"}, {"name": "c"}])
    match, keys, until_s = opened["match"], [each["key"] for each in opened["keys"]], time.monotonic() + seconds
    answers = Counter[int]()
    while time.monotonic() < until_s:
        body = {"kind": "abandon"}
        path = f"/api/matches/{match}/proposals"
        status, proposal = await server.request("POST", path, body, client="127.0.1.1", key=keys[0])
        answers[status] += 1
        if 200 <= status < 300:  # 0: no answer
            path = f"{path}/{proposal['number']}"
            status, _ = await server.request("POST", path, {"accept": False}, client="127.0.1.1", key=keys[0])
            answers[status] += 1
    return f"answered {dict(answers)}"


async def churn(server: Server, seconds: float) -> str:
    """Watchers that come and leave at once."""
    match = (await server.open("127.0.1.99", PEOPLE))["match"]
    until_s, come = time.monotonic() + seconds, Counter[str]()

    async def one() -> None:
        while time.monotonic() < until_s:
            try:
                async with asyncio.timeout(5):
                    _, writer = await server.watcher(match, "127.0.1.1")
                writer.transport.abort()
                come["watched"] += 1
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                come["refused"] += 1

    await asyncio.gather(*(one() for _ in range(20)))
    return str(dict(come))


async def deaf(server: Server, seconds: float) -> str:
    """60 watchers of a long match that read nothing of its 2,000 events."""
    held = []
    for _ in range(60):
        with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            async with asyncio.timeout(5):
                held.append(await server.watcher("long", "127.0.1.1"))
    await asyncio.sleep(seconds)
    for _, writer in held:
        writer.transport.abort()
    return f"{len(held)} watch"


async def places(server: Server, seconds: float) -> str:
    """One watcher that stays, and others that come for one event after the other of a match of 2,000 events."""
    until_s, come = time.monotonic() + seconds, Counter[str]()
    held = [await server.watcher("long", "127.0.1.1")]
    number = 0

    async def one() -> None:
        nonlocal number
        while time.monotonic() < until_s:
            number += 1
            try:
                async with asyncio.timeout(5):
                    reader, writer = await server.watcher("long", "127.0.1.1", number % 1800)
                    come["watched"] += 1
                    await reader.read(1 << 16)
                writer.transport.abort()
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                come["refused"] += 1

    await asyncio.gather(*(one() for _ in range(20)))
    for _, writer in held:
        writer.transport.abort()
    return str(dict(come))


async def unread_logs(server: Server, seconds: float) -> str:
    """60 connections that ask for a long log again and again, and read nothing."""
    request = f"GET {LONG}/log HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.key}\r\n\r\n".encode()
    held = []
    for _ in range(60):
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(2):
                held.append(await server.connect("127.0.1.1"))
                held[-1][1].transport.pause_reading()  # type: ignore[attr-defined]
                held[-1][1].write(request * 20)
    await asyncio.sleep(seconds)
    for _, writer in held:
        writer.transport.abort()
    return f"{len(held)} connections"


async def half_closed(server: Server, seconds: float) -> str:
    """Connections that ask, close their half, and stay."""
    until_s, held = time.monotonic() + seconds, list[asyncio.StreamWriter]()
    while time.monotonic() < until_s:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(2):
                _, writer = await server.connect("127.0.1.1")
                writer.write(get("/api/games"))
                writer.write_eof()
                held.append(writer)
        await asyncio.sleep(0.005)
    for writer in held:
        writer.transport.abort()
    return f"{len(held)} connections"


async def waiting(server: Server, seconds: float) -> str:
    """Nine addresses, each with 60 requests that wait for the next event of a match in which nobody acts."""
    matches = [(await server.open("127.0.1.99", PEOPLE))["match"] for _ in range(9)]
    until_s, answers = time.monotonic() + seconds, 0

    async def one(number: int) -> None:
        nonlocal answers
        while time.monotonic() < until_s:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(max(until_s - time.monotonic(), 0.01)):
                    reader, writer = await server.connect(f"127.0.1.{1 + number % 9}")
                    writer.write(get(f"/api/matches/{matches[number % 9]}/history?wait_ms=20000", "Connection: close"))
                    answers += bool(await reader.read())
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one(number) for number in range(540)))
    return f"{answers} answers"


async def languages(server: Server, seconds: float) -> str:
    """Requests for languages that nobody has, of 60,000 letters each."""
    until_s, number = time.monotonic() + seconds, 0
    while time.monotonic() < until_s:
        number += 1
        await server.request(
            "GET", "/api/games", client="127.0.1.1", heads=[f"Accept-Language: x-{number}" + "-x" * 30_000]
        )
    return f"{number} asked for"


NESTED = "[" * 30_000
GIANT = {"game": "mabr", "seats": [{"name": "a"}, {"name": "b"}], "options": {"min_word": 10**300}}
BOTS = {"game": "palace", "seats": [{"bot": "easy"}] * 6, "bot_delay_ms": 0}
GZIP = ["Accept-Encoding: gzip"]
UNICODE = "Host: \u2100.example"
RANGES = f"Range: bytes={','.join(f'{2 * number}-{2 * number}' for number in range(1500))}"
POST = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
CHUNKED = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
LONG = "/api/matches/long"
FLOODS: dict[str, Flood] = {
    "deaf watchers": deaf,
    "watchers that leave": churn,
    "pipelined": pouring(get("/nope") * 4000),
    "pipelined of twenty": pouring(get("/nope") * 4000, 20),
    "pipelined reads": pouring(get("/api/games") * 500, 5),
    "chunks of a byte": pouring(b"1\r\n \r\n" * 10_000, 5, first=CHUNKED),
    "header lines": pouring(b"A: b\r\n" * 10_000, 5, first=b"GET / HTTP/1.1\r\nHost: localhost\r\n"),
    "junk": pouring(b"\x16\x03\x01\x02\x00" * 1000, 5),
    "slow heads": pouring(b"A: b\r\n", 60, first=b"GET / HTTP/1.1\r\nHost: localhost\r\n", pause_s=0.5),
    "slow bodies": pouring(b"1\r\n \r\n", 60, first=CHUNKED, pause_s=0.5),
    "no such page": asking(lambda number: f"/nope/{number}"),
    "wrong keys": asking(f"{LONG}/observation", key="wrong"),
    "pages": asking(f"{LONG}/page"),
    "history": asking(f"{LONG}/history"),
    "observations": asking(lambda number: f"{LONG}/observation?events={number % 2000}"),
    "logs": asking(f"{LONG}/log"),
    "lobby": asking("/api/matches?limit=100"),
    "lessons": asking("/api/games/mabr/lesson"),
    "openapi": asking("/openapi.json"),
    "metrics and health": asking(lambda number: ("/metrics", "/health/ready", "/health")[number % 3]),
    "matches": asking("/api/matches", method="POST", body={"game": "mabr", "seats": PEOPLE}),
    "forks": asking(f"{LONG}/proposals", 150, method="POST", body={"kind": "fork", "target": 2000}),
    "analyses": asking(f"{LONG}/analysis", method="POST", body={}),
    "nested bodies": asking("/api/matches", method="POST", body={"game": NESTED}),
    "commands of strangers": asking(f"{LONG}/commands", method="POST", body=json.loads("[" * 500 + "]" * 500)),
    "long waits": asking("/api/matches?game=" + "x" * 2000, heads=[f"X-{number}: y" for number in range(90)]),
    "proposals": proposals,
    "watchers from each event": places,
    "pipelined posts": pouring(POST * 500, 5),
    "a giant header": pouring(b"a" * 60_000, 5, first=b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "),
    "other protocols": asking(
        "/health/live", heads=["Upgrade: h2c", "Connection: Upgrade", "HTTP2-Settings: AAMAAABk"]
    ),
    "unicode hosts": asking("/api/matches", heads=[UNICODE]),
    "languages": languages,
    "matches with bots": asking("/api/matches", method="POST", body=BOTS),
    "ranges": asking("/table.js", heads=[RANGES]),
    "compressed answers": asking("/table.js", heads=GZIP),
    "compressed pages": asking(f"{LONG}/page", heads=GZIP),
    "compressed bodies": asking("/api/matches", method="POST", body={"x": "y"}, heads=["Content-Encoding: gzip"]),
    "giant ints": asking("/api/matches", method="POST", body=GIANT),
    "unread logs": unread_logs,
    "half-closed": half_closed,
    "waits for an event": waiting,
}
