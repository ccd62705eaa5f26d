"""Seat records: what a seat was told of a match, kept by the seat, and held against the log or another record."""

from .compare import compare
from .evidence import Evidence
from .formulas import END, EVENT, LOOK, SENT, WISH, code, fingerprint
from .raw_log import marks
from .seat_record import Entry, Record, RecordWriter, head, read, read_bytes
from .verdict import Verdict, hold_to, key_text
from .verify import verify, verify_fork


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
    "Verdict",
    "code",
    "compare",
    "fingerprint",
    "head",
    "hold_to",
    "key_text",
    "marks",
    "public",
    "read",
    "read_bytes",
    "verify",
    "verify_fork",
]
