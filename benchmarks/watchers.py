"""What watchers cost `replay serve`: the processor time of the server for 40 commands of each match.

    pip install '.[web]'
    python benchmarks/watchers.py [--commands 40] [--json FILE]

Printed for 200 and 2,000 watchers of one match, and for 500 matches with 4 each: the seconds of the server's processor
time, the seconds that the whole took, and the messages that all watchers got. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import results
from attacks import HONEST, Server, raise_open_files, serving
from results import Figure

SETUPS = ((1, 200), (1, 2000), (500, 4))
A_CLIENT = 50


async def drain(reader: asyncio.StreamReader) -> int:
    """Read all that comes; return how many events were in it."""
    events = 0
    try:
        while line := await reader.readline():
            events += line.startswith(b"id: ")
    except (ConnectionError, asyncio.CancelledError):
        pass
    return events


def processor_s(process: int) -> float:
    """Return the processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def play(server: Server, opened: dict[str, Any], commands: int, client: str) -> None:
    """Submit so many commands of a match, each the first legal one."""
    keys, match = {each["seat"]: each["key"] for each in opened["keys"]}, opened["match"]
    seat = 0
    for number in range(commands):
        while True:
            path = f"/api/matches/{match}/observation"
            status, observation = await server.request("GET", path, client=client, key=keys[seat])
            if status == 200 and observation["legal"]:
                break
            if status == 200 and observation["to_act"]:
                seat = observation["to_act"][0]
            else:
                await asyncio.sleep(0.2)
        command = {name: observation["legal"][0][name] for name in ("tag", "fields")}
        command |= {"expected_events": observation["count"], "idempotency_key": f"{number:032x}"}
        await server.request("POST", f"/api/matches/{match}/commands", command, client=client, key=keys[seat])


async def measure(matches: int, watchers: int, commands: int) -> Figure:
    async with serving(8192) as server:
        seats = [{"name": each} for each in "abc"]
        opened = [await server.open(f"127.0.2.{1 + number // A_CLIENT}", seats) for number in range(matches)]
        streams = []
        for number in range(matches * watchers):
            client = f"127.0.3.{1 + number // A_CLIENT}"
            streams.append(await server.watcher(opened[number // watchers]["match"], client))
        drains = [asyncio.create_task(drain(reader)) for reader, _ in streams]
        await asyncio.sleep(2)
        began_s, before_s = time.perf_counter(), processor_s(server.process)
        clients = [HONEST if matches == 1 else f"127.0.4.{1 + number // 4}" for number in range(matches)]
        share = max(commands // (10 if matches > 1 else 1), 1)
        await asyncio.gather(*(play(server, each, share, client) for each, client in zip(opened, clients, strict=True)))
        await asyncio.sleep(1)
        took_s, cost_s = time.perf_counter() - began_s - 1, processor_s(server.process) - before_s
        for task in drains:
            task.cancel()
        got = sum(await asyncio.gather(*drains))
        name = (
            f"{matches} matches with {watchers} watchers, {share} commands each: {got} events watched in {took_s:.1f} s"
        )
        return Figure(name, cost_s, "s of CPU", 1e6 * cost_s / max(got, 1), "a microsecond for each event watched")


def figures(commands: int) -> Iterator[Figure]:
    for matches, watchers in SETUPS:
        yield asyncio.run(measure(matches, watchers, commands))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=int, default=40)
    results.add_argument(parser)
    given = parser.parse_args()
    raise_open_files()
    results.report("watchers", figures(given.commands), given.json)


if __name__ == "__main__":
    main()
