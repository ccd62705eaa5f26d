"""Work for `test_worker_pool.py`, in a module that a new process can import."""

import os
import signal
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from attrs import frozen
from kifu.core.errors import EngineError


def with_process(item: int) -> tuple[int, int]:
    """Give the item, and the process that did the work."""
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

    def __call__(self, item: int) -> tuple[int, int]:
        assert (self.folder / f"{os.getpid()}.opened").exists()
        return with_process(item)


class Deadly:
    """Work that ends the process which unpickles it."""

    def __reduce__(self) -> tuple:
        return os._exit, (3,)

    def __call__(self, item: int) -> int:
        os._exit(3)


@frozen
class Mortal:
    """Work whose process is killed the first time that it comes to an item."""

    folder: Path
    last: int

    def __call__(self, item: int) -> tuple[int, int]:
        mark = self.folder / "killed"
        if item == self.last and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return with_process(item)


def no_good(item: int) -> int:
    raise EngineError("python", f"item {item} is too much")


def wanted(dask_scheduler: Any) -> list:
    """List what a scheduler still has to do for anybody."""
    return [key for key, task in dask_scheduler.tasks.items() if task.who_wants]
