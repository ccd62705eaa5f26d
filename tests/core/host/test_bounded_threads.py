"""What has threads of its own: so much at a time, and what never ends is waited for only so long."""

from __future__ import annotations

from kifu.core.host.bounded_threads import BoundedThreads
from kifu.core.testing.host_simulation.threads import SimulatedThreads
from kifu.core.testing.host_simulation.world import World


def ran(most, patience_s, *lasts_ms):
    """Return how many pieces of work, which last so long, ran at each piece's beginning."""
    world = World(0)
    apart, running, seen = BoundedThreads(SimulatedThreads(world, None, "apart"), most, patience_s, "work"), [0], []

    def work(ms):
        running[0] += 1
        seen.append(running[0])
        world.sleep(ms)
        running[0] -= 1

    def looks():
        for _ in range(20):
            world.sleep(100)
            apart.go_on()

    for ms in lasts_ms:
        apart.start(lambda ms=ms: work(ms))
    world.start("looks", looks)
    world.run(lambda: True)
    return seen


def test_so_much_is_done_at_a_time():
    seen = ran(2, 60.0, 50, 60, 70, 80, 90)
    assert (len(seen), max(seen)) == (5, 2)


def test_what_takes_long_is_waited_for_only_so_long():
    assert ran(1, 0.25, 10_000, 50, 50) == [1, 2, 2]
