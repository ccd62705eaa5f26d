"""A match as one HTML page to step through, and as data for other programs: both drawn from scenes alone."""

from .document import DRAWING, page, read, script_json
from .export import LANGS, everyone, export

__all__ = [
    "DRAWING",
    "LANGS",
    "document",
    "everyone",
    "export",
    "lesson",
    "page",
    "read",
    "remarks",
    "script_json",
]
