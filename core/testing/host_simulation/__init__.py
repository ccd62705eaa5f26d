"""Deterministic simulation of hosts over one store: clients, watchers and bots, and every fault, from one seed."""

from .contract import host_contract
from .shrinking import shrink
from .simulation import Report, Setting, host_simulation
from .weather import FAULTS

__all__ = ["FAULTS", "Report", "Setting", "host_contract", "host_simulation", "shrink"]
