"""Deterministic simulation of hosts over one store: clients, watchers and bots, and every fault, from one seed."""

from .simulation import Report, Setting, host_simulation

__all__ = ["Report", "Setting", "host_simulation"]
