"""The calls of an engine, as a program in JavaScript makes them."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import kifu
from kifu.core.log import log_bytes
from kifu.core.testing.play import played
from kifu.replay.browser.engine import Engine

SEED = "07" * 32
BLOB = {"$blob": 0}


class Calls:
    """An engine, and its calls as a program in JavaScript makes them."""

    def __init__(self):
        self.engine, self.loop = Engine(), asyncio.new_event_loop()
        self.apart = ThreadPoolExecutor(1)  # in this thread a browser's loop may run

    def said(self, name, *blobs, more=None, **given):
        call = self.engine.call(name, json.dumps(given), blobs, **(more or {}))
        answer = self.apart.submit(self.loop.run_until_complete, call).result()
        return answer if isinstance(answer, bytes) else json.loads(answer)

    def value(self, name, *blobs, more=None, **given):
        said = self.said(name, *blobs, more=more, **given)
        return said if isinstance(said, bytes) else said["value"]

    def error(self, name, *blobs, **given):
        return self.said(name, *blobs, **given)["error"]


async def nothing(values):
    """Keep nothing, and say that all is kept."""
    return True


def finished(game):
    """Return the log of a match that is over."""
    found = kifu.games.find(game)
    return log_bytes(played(found, found.seats[0], found.options(), 3))
