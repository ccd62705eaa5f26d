"""The log: one match as a file, to read, write and recover (`docs/log-format.md`)."""

from .findings import Finding, Reading
from .reader import load, read, read_bytes
from .writer import LogWriter, log_bytes, save

__all__ = [
    "Finding",
    "LogWriter",
    "Reading",
    "broken",
    "files",
    "findings",
    "format",
    "framing",
    "header_codec",
    "json_form",
    "load",
    "log_bytes",
    "read",
    "read_bytes",
    "reader",
    "recovery",
    "save",
    "validation",
    "writer",
]
