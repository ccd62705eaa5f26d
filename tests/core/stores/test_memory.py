"""The store in memory keeps the contract."""

from pathlib import Path

from kifu.core.stores import Store, open_store

from .store_laws import store_contract


def open_again(place: Path) -> Store:
    return open_store("memory:")


TestMemory = store_contract(open_again, lasts=False)
