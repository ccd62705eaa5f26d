"""A program that plays matches at a host from several threads, and says what it sends and what is acknowledged."""

import os
import sys
from itertools import count
from threading import Thread

from kifu.core.host import Host
from kifu.core.stores import open_store

THREADS = 3


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def play(host: Host, name: int) -> None:
    """Play one match after the other; each command has its number for an id."""
    for number in count():
        opened = host.open("take_and_share", ["Aki", "Ren", "Mio"])
        say("opened", opened.match, *opened.keys)
        sent = 0
        while True:
            seat = min(host.about(opened.match).to_act, default=None)
            if seat is None:
                break
            observation = host.observe(opened.match, opened.keys[seat])
            sent += 1
            id = f"{name}-{number}-{sent}"
            say("sent", opened.match, seat, id)
            receipt = host.submit(
                opened.match, opened.keys[seat], observation.legal[-1], observation.count, id.encode()
            )
            say("taken", opened.match, seat, id, receipt.seq)


def main(address: str) -> None:
    host = Host(open_store(address))
    threads = [Thread(target=play, args=(host, name)) for name in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
