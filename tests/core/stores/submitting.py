"""A program that plays matches at a host from several threads, and prints each submission and each receipt."""

import os
import sys
from itertools import count
from threading import Thread

from kifu.core.host import Host
from kifu.core.stores import open_store

THREADS = 3


def print_line(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def play(host: Host, name: int) -> None:
    """Play one match after the other; the idempotency key of a command is its number."""
    for number in count():
        opened = host.open("take_and_share", ["Aki", "Ren", "Mio"])
        print_line("opened", opened.match, *opened.keys)
        sent = 0
        while True:
            seat = min(host.about(opened.match).to_act, default=None)
            if seat is None:
                break
            observation = host.observe(opened.match, opened.keys[seat])
            sent += 1
            key = f"{name}-{number}-{sent}"
            print_line("sent", opened.match, seat, key)
            receipt = host.submit(
                opened.match, opened.keys[seat], observation.legal[-1], observation.count, key.encode()
            )
            print_line("accepted", opened.match, seat, key, receipt.seq)


def main(address: str) -> None:
    host = Host(open_store(address))
    threads = [Thread(target=play, args=(host, name)) for name in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
