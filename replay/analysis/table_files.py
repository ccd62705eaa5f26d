"""Parquet files of rows, written as a stream and seen under their names only when whole."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

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


@contextmanager
def table_file(path: Path, columns: Columns) -> Iterator[RowGroups]:
    """Yield a new file of rows; its name appears when it is left without an error, and never half full."""
    with whole_file(path, new=True) as file:
        with writing(path):
            groups = RowGroups(path, file, columns)
        try:
            yield groups
            groups.finish()
        except BaseException:  # also an interruption: else the writer would write as it is collected
            groups.drop()
            raise


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


class RowGroups:
    """Rows of a file, written in groups; raises `LogError` if the disk refuses."""

    def __init__(self, path: Path, file: BinaryIO, columns: Columns) -> None:
        self._path = path
        self._schema = _schema(columns)
        self._writer = ParquetWriter(file, self._schema)
        self._batches: list[Any] = []
        self._loose: list[Any] = []
        self._rows = 0

    def write(self, rows: bytes) -> None:
        """Append encoded rows: they are kept until they fill a group."""
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
        with writing(self._path):
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
            with writing(self._path):
                self._writer.write_table(arrow.Table.from_batches(self._batches, self._schema))
        self._batches, self._rows = [], 0
