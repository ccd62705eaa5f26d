"""Work for `test_crew.py`, in a module that a new process can import."""

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import frozen


@frozen
class Opened:
    """Work that tells in a folder by which processes it was opened and closed."""

    folder: Path

    def __enter__(self) -> Self:
        (self.folder / f"{os.getpid()}.opened").touch(exist_ok=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        (self.folder / f"{os.getpid()}.closed").touch(exist_ok=False)

    def __call__(self, item: int) -> tuple[int, int]:
        """Give the item, and the process that did the work."""
        assert (self.folder / f"{os.getpid()}.opened").exists()
        return item, os.getpid()


class Deadly:
    """Work that ends the process which unpickles it."""

    def __reduce__(self) -> tuple:
        return os._exit, (3,)

    def __call__(self, item: int) -> int:
        return item
