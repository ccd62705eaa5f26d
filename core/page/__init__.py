"""A match as one page that anyone can open and step through, and as data for other programs: drawn from scenes only."""

from ..errors import Why
from ..texts import require_catalogues

require_catalogues(Why("the-page", "a match as a page"))

from .document import DRAWING, in_a_notebook, in_a_script, page, read  # noqa: E402
from .export import LANGS, everyone, export  # noqa: E402

__all__ = ["DRAWING", "LANGS", "everyone", "export", "in_a_notebook", "in_a_script", "page", "read"]
