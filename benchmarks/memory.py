"""The memory of `replay serve` over many commands.

    pip install '.[web]'
    python benchmarks/memory.py [--commands 50000] [--clients 4]

Clients play one match after the other to its end. Printed: after each tenth of
the commands, the memory of the server's process, and its open files. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import time
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import results
from attacks import serving
from results import Figure


class Client(Thread):
    """Plays matches on one connection, from an address of its own."""

    def __init__(self, port: int, number: int, counter: Counter) -> None:
        super().__init__(daemon=True)
        self._http = http.client.HTTPConnection("127.0.0.1", port, source_address=(f"127.0.8.{1 + number}", 0))
        self._counter = counter

    def ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        """Send a request until it is not refused for its rate; return the body of the answer."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
        while True:
            self._http.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._http.getresponse()
            content = response.read()
            if response.status != 429:
                return json.loads(content)
            time.sleep(float(response.headers["Retry-After"]))

    def run(self) -> None:
        while not self._counter.is_done():
            body = {"game": "take_and_share", "seats": [{"name": each} for each in "abc"]}
            opened = self.ask("POST", "/api/matches", body)
            keys, path = [each["key"] for each in opened["keys"]], f"/api/matches/{opened['match']}"
            seat = 0
            while not self._counter.is_done():
                seen = self.ask("GET", f"{path}/observation", None, keys[seat])
                if not seen["to_act"]:
                    break
                if seat not in seen["to_act"]:
                    seat = seen["to_act"][0]
                    continue
                command = {name: seen["legal"][-1][name] for name in ("tag", "fields")}
                command |= {"expected_events": seen["count"], "idempotency_key": os.urandom(16).hex()}
                self.ask("POST", f"{path}/commands", command, keys[seat])
                self._counter.count()


class Counter:
    """The commands of all clients."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self.commands = 0

    def count(self) -> None:
        """Count one."""
        with self._lock:
            self.commands += 1

    def is_done(self) -> bool:
        """Return True if there were enough."""
        return self.commands >= self._most


def resident_mb(process: int) -> float:
    """Return the memory of a process, in megabytes."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


async def measure(commands: int, clients: int) -> list[Figure]:
    """Play, and return the memory as it went."""
    figures = []
    more = ["--set-limit", "processor_burst_s=100000", "--set-limit", f"folded_bytes={32 << 20}"]
    async with serving(more=more) as server:
        counter = Counter(commands)
        playing = [Client(server.port, number, counter) for number in range(clients)]
        for client in playing:
            client.start()
        for tenth in range(11):
            while counter.commands < commands * tenth // 10:
                await asyncio.sleep(0.1)
            files = len(os.listdir(f"/proc/{server.process}/fd"))
            after = f"after {counter.commands} commands"
            figures.append(Figure(f"{after}: memory", resident_mb(server.process), "MB"))
            figures.append(Figure(f"{after}: open files", files, "files"))
            print(figures[-2], flush=True)
        for client in playing:
            await asyncio.to_thread(client.join)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, default=50_000)
    parser.add_argument("--clients", type=int, default=4)
    results.add_argument(parser)
    given = parser.parse_args()
    results.report("memory", asyncio.run(measure(given.commands, given.clients)), given.json)


if __name__ == "__main__":
    main()
