"""Seat records: what a seat was told of a match, kept by the seat, and held against the log or another record."""

from .compare import compare
from .evidence import Evidence, Told
from .formulas import END, EVENT, LOOK, SENT, WISH, code, fingerprint
from .known_hosts import KnownHosts, default_path, hold_to, key_text
from .raw_log import marks
from .record_file import RecordWriter, note_codes, read
from .seat_record import Entry, Record, head, read_bytes, with_compared
from .verdict import Verdict
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
    "KnownHosts",
    "Record",
    "RecordWriter",
    "Told",
    "Verdict",
    "code",
    "compare",
    "default_path",
    "fingerprint",
    "head",
    "hold_to",
    "key_text",
    "marks",
    "note_codes",
    "public",
    "read",
    "read_bytes",
    "verify",
    "verify_fork",
    "with_compared",
]
