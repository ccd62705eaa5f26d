"""Work for `test_crew.py`, in a module that a new process can import."""

import os
from pathlib import Path
from types import TracebackType
from typing import Self

from attrs import frozen


def with_process(item: int) -> tuple[int, int]:
    return item, os.getpid()


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

    def __call__(self, item: int) -> int:
        assert (self.folder / f"{os.getpid()}.opened").exists()
        return os.getpid()


class Deadly:
    """Work that ends the process which unpickles it."""

    def __reduce__(self) -> tuple:
        return os._exit, (3,)

    def __call__(self, item: int) -> int:
        return item
