"""A match as one page that anyone can open and step through, and as data for other programs: drawn from scenes only."""

from .document import DRAWING, in_a_notebook, in_a_script, page, read
from .export import LANGS, everyone, export

__all__ = ["DRAWING", "LANGS", "everyone", "export", "in_a_notebook", "in_a_script", "page", "read"]
