"""The log: one match as a file, to read, write and recover (`docs/log-format.md`)."""

from .reader import load, read, read_bytes
from .reading import Finding, Reading
from .writer import LogWriter, log_bytes, save

__all__ = [
    "Finding",
    "LogWriter",
    "Reading",
    "broken",
    "format",
    "framing",
    "header_codec",
    "json_form",
    "load",
    "lock",
    "log_bytes",
    "messages",
    "read",
    "read_bytes",
    "reader",
    "reading",
    "recovery",
    "regular_file",
    "save",
    "validation",
    "writer",
]
