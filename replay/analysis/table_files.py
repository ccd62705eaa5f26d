"""Files of rows: CSV, JSON lines and Parquet, written as a stream and seen under their names only when whole."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol, Self

from attrs import frozen

from ...core.errors import needs_extra
from ...core.log.writer import give_name, write_error
from ..call_errors import CallError, UserMessage
from .event_rows import Row

Columns = dict[str, str]
"""Columns by name, with the kind of each: `text`, `int`, `json`, `texts` or `ints`."""

GROUP_ROWS = 1 << 16
"""The rows of a Parquet file that are kept until they are written together."""

PLAIN = ("text", "int")
"""The kinds that are no JSON in a file of text."""


class Sink(Protocol):
    """A file of rows while it is written."""

    def write(self, rows: bytes) -> None:
        """Append rows, as `encode` of the same format returned them."""

    def finish(self) -> None:
        """Write what is left, before the file is closed."""

    def drop(self) -> None:
        """Write nothing more: the file is closed unfinished, and goes."""


@frozen
class TableFormat:
    """How rows become a file: `encode` turns rows into bytes, in any process, and `open_sink` appends them."""

    encode: Callable[[Columns, list[Row]], bytes]
    open_sink: Callable[[BinaryIO, Columns], Sink]


class TableFile:
    """A new file of rows; a context manager. Its name appears when it is left without an error, and never half full."""

    def __init__(self, path: Path, columns: Columns) -> None:
        self.path = path
        self.columns = columns
        self.format = format_of(path)
        self._draft = path.parent / f".{path.name}.{os.getpid()}.draft"

    def __enter__(self) -> Self:
        try:
            self._file = open(self._draft, "wb")
        except (OSError, ValueError) as cause:
            raise write_error(self.path, cause) from None
        self._sink = self.format.open_sink(self._file, self.columns)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, cause: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._sink.finish()
            else:
                self._sink.drop()
            self._file.close()
            if kind is None:
                give_name(self._draft, self.path)
        except OSError as error:
            raise write_error(self.path, error) from None
        finally:
            self._draft.unlink(missing_ok=True)

    def write(self, rows: bytes) -> None:
        """Append encoded rows; raises `LogError` if the disk refuses."""
        try:
            self._sink.write(rows)
        except OSError as cause:
            raise write_error(self.path, cause) from None


def format_of(path: Path) -> TableFormat:
    """Return the format for a file's name; raises `CallError` for another ending, `MissingExtra` without pyarrow."""
    if path.suffix == ".parquet":
        require_pyarrow()
    if path.suffix not in FORMATS:
        raise CallError(
            "no-table", "{file}: give a name that ends in {endings}", file=path, endings=", ".join(sorted(FORMATS))
        )
    return FORMATS[path.suffix]


def require_pyarrow() -> Any:
    """Return pyarrow; raises `MissingExtra` without it."""
    with needs_extra(UserMessage("writing-parquet", "writing Parquet"), "data"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _encode_csv(columns: Columns, rows: list[Row]) -> bytes:
    """Encode rows as CSV; what is neither text nor a number is JSON, and None is empty."""
    text = io.StringIO(newline="")
    dumped = [kind not in PLAIN for kind in columns.values()]
    csv.writer(text, lineterminator="\n").writerows(
        [_json(value) if dump and value is not None else value for value, dump in zip(row, dumped, strict=True)]
        for row in rows
    )
    return text.getvalue().encode()


def _encode_ndjson(columns: Columns, rows: list[Row]) -> bytes:
    return "".join([f"{_json(dict(zip(columns, row, strict=True)))}\n" for row in rows]).encode()


def _encode_parquet(columns: Columns, rows: list[Row]) -> bytes:
    """Encode rows as an Arrow stream; JSON is text there. Raises `CallError` for a number of more than 64 bits."""
    arrow = require_pyarrow()
    schema = _schema(arrow, columns)
    values: Iterable[tuple[Any, ...]] = zip(*rows, strict=True) if rows else [()] * len(columns)
    try:
        arrays = [
            arrow.array(_dumped(each) if kind == "json" else each, field.type)
            for each, kind, field in zip(values, columns.values(), schema, strict=True)
        ]
    except (OverflowError, ValueError):  # ArrowInvalid is one
        raise CallError("number-too-large", "a number of it does not fit into 64 bits") from None
    stream = io.BytesIO()
    with arrow.ipc.new_stream(stream, schema) as writer:
        writer.write_batch(arrow.record_batch(arrays, schema=schema))
    return stream.getvalue()


def _dumped(values: tuple[Any, ...]) -> list[str]:
    """Return values as JSON; the one that all rows share is dumped once."""
    known = {id(value): value for value in values}
    dumped = {key: _json(value) for key, value in known.items()}
    return [dumped[id(value)] for value in values]


def _schema(arrow: Any, columns: Columns) -> Any:
    types = {
        "text": arrow.string(),
        "json": arrow.string(),
        "int": arrow.int64(),
        "texts": arrow.list_(arrow.string()),
        "ints": arrow.list_(arrow.int64()),
    }
    return arrow.schema([(name, types[kind]) for name, kind in columns.items()])


class _Appended:
    """Rows that are appended as they are, after a first line."""

    def __init__(self, file: BinaryIO, head: bytes) -> None:
        self._file = file
        file.write(head)

    def write(self, rows: bytes) -> None:
        """Append the bytes."""
        self._file.write(rows)

    def finish(self) -> None:
        """Do nothing: all is written."""

    def drop(self) -> None:
        """Do nothing: the file goes."""


class _RowGroups:
    """Rows of a Parquet file, written in groups."""

    def __init__(self, file: BinaryIO, columns: Columns) -> None:
        self._arrow = require_pyarrow()
        self._schema = _schema(self._arrow, columns)
        self._writer = self._arrow.parquet.ParquetWriter(file, self._schema)
        self._batches: list[Any] = []
        self._rows = 0

    def write(self, rows: bytes) -> None:
        """Keep the rows, and write them once they fill a group."""
        for batch in self._arrow.ipc.open_stream(rows):
            self._batches.append(batch)
            self._rows += batch.num_rows
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

    def _flush(self) -> None:
        if self._batches:
            self._writer.write_table(self._arrow.Table.from_batches(self._batches, self._schema))
        self._batches, self._rows = [], 0


FORMATS = {
    ".csv": TableFormat(_encode_csv, lambda file, columns: _Appended(file, f"{','.join(columns)}\n".encode())),
    ".ndjson": TableFormat(_encode_ndjson, lambda file, _: _Appended(file, b"")),
    ".parquet": TableFormat(_encode_parquet, _RowGroups),
}
"""The formats by the ending of a file's name."""
