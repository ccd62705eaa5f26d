"""How many files the process may open, which bounds its connections."""

from __future__ import annotations

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


def fit_limits(limits: Limits, open_files: int | None) -> Limits:
    """Return the limits lowered to what so many open files allow; watchers leave a quarter of the connections free."""
    connections = limits.connections_total
    if open_files is not None:
        connections = min(connections, max(open_files - RESERVE, LEAST))
    return evolve(limits, connections_total=connections, watches_total=min(limits.watches_total, connections * 3 // 4))
