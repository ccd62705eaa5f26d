"""Hosts on one PostgreSQL behind nginx, while one of them is killed (-9) again and again.

    pip install '.[web,postgres]'
    python benchmarks/hosts.py --store postgresql://… [--matches 500] [--seconds 120] [--kill-every 10] [--most-late 2]

nginx runs with the configuration of `docs/deploy.md`. All matches have a turn limit; half of them are played by
clients, each of which sends a command again until it is acknowledged; in the others only the stand-in plays. At the end
every log is audited, every acknowledged command must be there once, and no stand-in may have acted later than so many
seconds after its deadline. Exits with 1 otherwise. Needs Linux and nginx.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import results
from attacks import Server
from attrs import define, field
from kifu.core.log import read_bytes
from kifu.core.stores import Store, open_store
from kifu.core.stores.store import Query, log_bytes_of
from results import Figure

HOSTS = 2
TURN_LIMIT_MS = 8_000
RESTART_S = 0.2
"""As systemd's `RestartSec`."""
A_CLIENT = 40
"""Matches of one address."""
GUIDE = Path(__file__).parents[1] / "docs" / "deploy.md"
PAUSES_S = (1.0, 14.0)
"""How long a client thinks; more than the turn limit at times."""


def nginx_configuration(folder: Path, port: int, upstream: list[int]) -> str:
    """Return the configuration of the guide, at these ports, without TLS and as a user's own process."""
    section = GUIDE.read_text("utf-8").partition("\n## nginx\n")[2].partition("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    text = "\n".join(line for line in lines if "ssl_certificate" not in line and "server 127.0.0.1" not in line)
    servers = "\n".join(f"    server 127.0.0.1:{each} max_fails=1 fail_timeout=2s;" for each in upstream)
    text = text.replace("hash $match consistent;", f"hash $match consistent;\n{servers}")
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};").replace("play.example", "localhost")
    places = "".join(
        f"{each}_temp_path {folder}/{each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"worker_processes 1;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log warn;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{\naccess_log off;\n{places}{text}\n}}\n"
    )


def nginx(folder: Path, port: int, upstream: list[int]) -> subprocess.Popen[bytes]:
    """Start nginx; raises `CalledProcessError` if its own check refuses the configuration."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin") or "nginx"
    file = folder / "nginx.conf"
    file.write_text(nginx_configuration(folder, port, upstream))
    command = [program, "-c", str(file), "-p", str(folder), "-e", str(folder / "nginx.log")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    return subprocess.Popen([*command, "-g", "daemon off;"])


@define
class Hosts:
    """Some `replay serve`, each at a port of its own."""

    store: str
    folder: Path
    ports: list[int]
    processes: list[subprocess.Popen[bytes] | None] = field(factory=list)

    def start(self, number: int) -> None:
        """Start one host."""
        command = [
            sys.executable,
            "-m",
            "kifu.replay",
            "serve",
            "--store",
            self.store,
            "--port",
            str(self.ports[number]),
        ]
        with (self.folder / f"host{number}.log").open("ab") as errors:
            self.processes[number] = subprocess.Popen(
                [*command, "--quiet", "--set-limit", "processor_burst_s=1000"], stdout=subprocess.DEVNULL, stderr=errors
            )

    async def ready(self, number: int) -> None:
        """Wait until a host answers."""
        while (
            await Server(self.ports[number], self.folder, self.folder, "", 0).request(
                "GET", "/health/live", client="127.0.0.1"
            )
        )[0] != 200:
            await asyncio.sleep(0.1)

    async def kill_in_turn(self, every_s: float) -> int:
        """Kill one host after the other, and start it again, until cancelled."""
        number = 0
        while True:
            await asyncio.sleep(every_s)
            process = self.processes[number % len(self.ports)]
            assert process is not None
            process.kill()
            await asyncio.to_thread(process.wait)
            KILLS.append(time.time())
            await asyncio.sleep(RESTART_S)
            self.start(number % len(self.ports))
            number += 1

    def stop(self) -> None:
        """Stop all hosts."""
        for process in self.processes:
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            if process is not None:
                process.wait(30)


KILLS: list[float] = []
ACKNOWLEDGED: list[tuple[str, int, str]] = []
"""Match, number of the event, and idempotency key of each command that was acknowledged."""
ANSWERS: Counter[int] = Counter()


async def insist(server: Server, method: str, path: str, body: Any, client: str, key: str | None = None) -> Any:
    """Send a request until it is answered with what is not the server's failure; return the status and the body."""
    while True:
        status, answer = await server.request(method, path, body, client=client, key=key)
        ANSWERS[status] += 1
        if status not in (0, 429, 500, 502, 503, 504):
            return status, answer
        await asyncio.sleep(random.uniform(0.1, 0.6))


async def play(server: Server, match: str, keys: dict[int, str], client: str, until_s: float) -> None:
    """Play a match at all seats, now and then, until a time."""
    path = f"/api/matches/{match}"
    while True:
        pause_s = random.uniform(*PAUSES_S)
        if time.monotonic() + pause_s > until_s:
            return
        await asyncio.sleep(pause_s)
        _, table = await insist(server, "GET", f"{path}/observation", None, client)
        if table is None or not table["to_act"]:
            return
        key = keys[table["to_act"][0]]
        _, seen = await insist(server, "GET", f"{path}/observation", None, client, key)
        if seen is None or not seen.get("legal"):
            continue
        idempotency_key = secrets.token_hex(16)
        command = {name: seen["legal"][0][name] for name in ("tag", "fields")}
        command |= {"expected_events": seen["count"], "idempotency_key": idempotency_key}
        status, receipt = await insist(server, "POST", f"{path}/commands", command, client, key)
        if status == 201:
            ACKNOWLEDGED.append((match, receipt["seq"], idempotency_key))


def audit(store: Store, most_late_s: float) -> Iterator[Figure]:
    """Read every log; yield what is lost, twice or wrong, and how late deadlines were met."""
    late_ms, events, bad = [0], 0, 0
    ids: dict[str, list[tuple[int, str]]] = {}
    for match, _ in store.list(Query(limit=100_000)):
        reading = read_bytes(log_bytes_of(store.read(match)))
        if reading.match is None or not reading.ok:
            bad += 1
            print("not clean:", match, reading.problem())
            continue
        last_ms = 0
        for event in reading.match.events:
            events += 1
            meta = event.meta
            at_ms = last_ms if meta is None or meta.at is None else meta.at
            if meta is not None and meta.by == "stand-in":
                late_ms.append(at_ms - last_ms - TURN_LIMIT_MS)
            if meta is not None and meta.id is not None:
                ids.setdefault(match, []).append((event.seq, meta.id.hex()))
            last_ms = at_ms
    lost = [each for each in ACKNOWLEDGED if ids.get(each[0], []).count(each[1:]) != 1]
    twice = [match for match, some in ids.items() if len({key for _, key in some}) != len(some)]
    late_ms.sort()
    yield Figure("events", events, "events", better="more")
    yield Figure("acknowledged commands", len(ACKNOWLEDGED), "commands", better="more")
    yield Figure("deadlines met", len(late_ms) - 1, "deadlines", better="more", aim=1)
    yield Figure("acknowledged and lost", len(lost), "commands", aim=0)
    yield Figure("matches with a command twice", len(twice), "matches", aim=0)
    yield Figure("logs that are not clean", bad, "logs", aim=0)
    yield Figure("deadlines late, p50", late_ms[len(late_ms) // 2], "ms")
    yield Figure("deadlines late, p99", late_ms[int(len(late_ms) * 0.99)], "ms")
    yield Figure("deadlines late, most", late_ms[-1], "ms", aim=1000 * most_late_s)


async def run(given: argparse.Namespace) -> list[Figure]:
    """Serve, play, kill; return the figures."""
    with TemporaryDirectory() as place:
        folder, ports = Path(place), free_ports(HOSTS + 1)
        hosts = Hosts(given.store, folder, ports[1:], [None] * HOSTS)
        front = nginx(folder, ports[0], hosts.ports)
        try:
            for number in range(HOSTS):
                hosts.start(number)
                await hosts.ready(number)
            await load(given, hosts, Server(ports[0], folder, folder, "", 0))
        finally:
            front.terminate()
            front.wait(10)
            hosts.stop()
        store = open_store(given.store)
        try:
            return list(audit(store, given.most_late))
        finally:
            store.close()


async def load(given: argparse.Namespace, hosts: Hosts, server: Server) -> None:
    """Open the matches, and play them while hosts are killed."""
    until_s = time.monotonic() + given.seconds
    killing = asyncio.create_task(hosts.kill_in_turn(given.kill_every))
    playing = []
    for number in range(given.matches):
        client = f"127.0.9.{1 + number // A_CLIENT}"
        body = {"game": "take_and_share", "seats": [{"name": each} for each in "abc"], "turn_limit_ms": TURN_LIMIT_MS}
        _, opened = await insist(server, "POST", "/api/matches", body, client)
        keys = {each["seat"]: each["key"] for each in opened["keys"]}
        if number % 2:
            playing.append(asyncio.create_task(play(server, opened["match"], keys, client, until_s)))
    print(f"{given.matches} matches were opened {until_s - time.monotonic():.0f} s before the end", flush=True)
    await asyncio.sleep(max(0.0, until_s - time.monotonic()))
    killing.cancel()
    await asyncio.gather(*playing, killing, return_exceptions=True)
    print(f"{len(KILLS)} kills; answers {dict(sorted(ANSWERS.items()))}", flush=True)


def free_ports(number: int) -> list[int]:
    """Return ports that nobody listens at."""
    import socket

    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True, help="an empty schema of a PostgreSQL")
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--kill-every", type=float, default=10)
    parser.add_argument("--most-late", type=float, default=2)
    results.add_argument(parser)
    given = parser.parse_args()
    figures = asyncio.run(run(given))
    results.report("hosts", figures, given.json)
    sys.exit(any(figure.is_missed for figure in figures))


if __name__ == "__main__":
    main()
