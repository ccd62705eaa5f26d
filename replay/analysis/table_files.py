"""Parquet files of rows, written as a stream and seen under their names only when whole."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Self

from ...core.errors import needs_extra
from ...core.log.files import whole_file, writing
from ..call_errors import CallError, UserMessage
from .event_rows import Row

with needs_extra(UserMessage("writing-parquet", "writing Parquet"), "stats"):
    import pyarrow as arrow
    from pyarrow.parquet import ParquetWriter

Columns = dict[str, str]
"""Columns by name, with the kind of each: `text`, `int`, `json` (as text), `texts` or `ints`."""

GROUP_ROWS = 1 << 16
"""The rows of a file that are kept until they are written together."""
LOOSE = 256
"""So many batches are kept as they came; each, even of one row, holds some kilobytes of the stream that it came in."""

TYPES = {
    "text": arrow.string(),
    "json": arrow.string(),
    "int": arrow.int64(),
    "texts": arrow.list_(arrow.string()),
    "ints": arrow.list_(arrow.int64()),
}


class TableFile:
    """A new file of rows; a context manager. Its name appears when it is left without an error, and never half full."""

    def __init__(self, path: Path, columns: Columns) -> None:
        if path.suffix != ".parquet":
            raise CallError("no-table", "{file}: give a name that ends in .parquet", file=path)
        self.path = path
        self.columns = columns
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with self._stack as stack:
            file = stack.enter_context(whole_file(self.path, new=True))
            self._groups = stack.enter_context(self._rows(file))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    @contextmanager
    def _rows(self, file: BinaryIO) -> Iterator[_RowGroups]:
        with writing(self.path):
            groups = _RowGroups(file, self.columns)
        try:
            yield groups
            with writing(self.path):
                groups.finish()
        except BaseException:  # also an interruption: else the writer would write as it is collected
            groups.drop()
            raise

    def write(self, rows: bytes) -> None:
        """Append encoded rows; raises `LogError` if the disk refuses."""
        with writing(self.path):
            self._groups.write(rows)


def encode(columns: Columns, rows: list[Row]) -> bytes:
    """Encode rows as an Arrow stream, in any process. Raises `CallError` for a number of more than 64 bits."""
    schema = _schema(columns)
    values: Iterable[tuple[Any, ...]] = zip(*rows, strict=True) if rows else [()] * len(columns)
    try:
        arrays = [
            arrow.array(_dumped(each) if kind == "json" else each, field.type)
            for each, kind, field in zip(values, columns.values(), schema, strict=True)
        ]
    except (OverflowError, ValueError):  # ArrowInvalid is one
        raise CallError("number-too-large", "a number in it does not fit into 64 bits: no table takes it") from None
    stream = io.BytesIO()
    with arrow.ipc.new_stream(stream, schema) as writer:
        writer.write_batch(arrow.record_batch(arrays, schema=schema))
    return stream.getvalue()


def _dumped(values: tuple[Any, ...]) -> list[str]:
    """Return values as JSON; the one that all rows share is dumped once."""
    known = {id(value): value for value in values}
    dumped = {key: json.dumps(value, ensure_ascii=False, separators=(",", ":")) for key, value in known.items()}
    return [dumped[id(value)] for value in values]


def _schema(columns: Columns) -> Any:
    return arrow.schema([(name, TYPES[kind]) for name, kind in columns.items()])


class _RowGroups:
    """Rows of a file, written in groups."""

    def __init__(self, file: BinaryIO, columns: Columns) -> None:
        self._schema = _schema(columns)
        self._writer = ParquetWriter(file, self._schema)
        self._batches: list[Any] = []
        self._loose: list[Any] = []
        self._rows = 0

    def write(self, rows: bytes) -> None:
        """Keep the rows, and write them once they fill a group."""
        for batch in arrow.ipc.open_stream(rows):
            self._loose.append(batch)
            self._rows += batch.num_rows
        if len(self._loose) >= LOOSE:
            self._pack()
        if self._rows >= GROUP_ROWS:
            self._flush()

    def finish(self) -> None:
        """Write the last group and the footer."""
        self._flush()
        self._writer.close()

    def drop(self) -> None:
        """Close the writer while its file is open: when it is collected, it would write into a closed one."""
        with suppress(Exception):  # a full disk, too, is no matter: the file goes
            self._writer.close()
        self._writer.is_open = False

    def _pack(self) -> None:
        if self._loose:
            self._batches += arrow.Table.from_batches(self._loose, self._schema).combine_chunks().to_batches()
            self._loose = []

    def _flush(self) -> None:
        self._pack()
        if self._batches:
            self._writer.write_table(arrow.Table.from_batches(self._batches, self._schema))
        self._batches, self._rows = [], 0
