"""Seat records: what a seat was told of a match, kept by the seat, and held against the log or another record."""

from .trust.compare import compare
from .trust.evidence import Evidence, Told
from .trust.formulas import END, EVENT, LOOK, SENT, WISH, code
from .trust.raw_log import marks
from .trust.record_file import RecordWriter, read
from .trust.seat_record import Entry, Record, head, read_bytes
from .trust.verdict import Verdict
from .trust.verify import verify


def public(record: Record | bytes) -> bytes:
    """Return the public form of a record, which shows no card; raises `TrustError` for bytes that are no record."""
    read = record if isinstance(record, Record) else read_bytes(record)
    return read.public().packed()


__all__ = [
    "END",
    "EVENT",
    "LOOK",
    "SENT",
    "WISH",
    "Entry",
    "Evidence",
    "Record",
    "RecordWriter",
    "Told",
    "Verdict",
    "code",
    "compare",
    "head",
    "marks",
    "public",
    "read",
    "read_bytes",
    "verify",
]
