"""A match as one HTML page to step through, and as data for other programs: both drawn from scenes alone."""

from ..errors import Message
from ..text.texts import require_catalogues

require_catalogues(Message("the-page", "a match as a page"))

from .document import DRAWING, notebook_html, page, read, script_json  # noqa: E402
from .export import LANGS, everyone, export  # noqa: E402

__all__ = [
    "DRAWING",
    "LANGS",
    "document",
    "everyone",
    "export",
    "lesson",
    "notebook_html",
    "page",
    "read",
    "remarks",
    "script_json",
]
