"""What the machine gives the process: files, which bound its connections, and memory, which bounds folded matches."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from attrs import evolve

from .rate_limits import Limits

RESERVE = 256
"""Files for the store, the log, and connections that are refused."""
LEAST = 64
"""Connections that are accepted however few files there are."""


def raise_open_files(wanted: int) -> int | None:
    """Raise the limit of open files as far as it goes, at most to `wanted`; return it, None where there is none."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return None if soft == resource.RLIM_INFINITY else soft


def memory_bytes() -> int | None:
    """Return how much memory the process may have: the machine's, or less in a container; None if nothing tells it."""
    found = []
    with suppress(AttributeError, OSError, ValueError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):  # "max": no less than the machine's
        found.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(found, default=None)


def fit_limits(limits: Limits, open_files: int | None, memory: int | None = None) -> Limits:
    """Return the limits lowered to what so many open files and so much memory allow.

    Watchers leave a quarter of the connections free, and folded matches three quarters of the memory.
    """
    connections, folded_bytes = limits.connections_total, limits.folded_bytes
    if open_files is not None:
        connections = min(connections, max(open_files - RESERVE, LEAST))
    if memory is not None:
        folded_bytes = min(folded_bytes, memory // 4)
    watches = min(limits.watches_total, connections * 3 // 4)
    return evolve(limits, connections_total=connections, watches_total=watches, folded_bytes=folded_bytes)
