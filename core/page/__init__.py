"""A match as one page that anyone can open and step through, and as data for other programs: drawn from scenes only."""

from .document import in_a_notebook, page
from .export import LANGS, everyone, export

__all__ = ["LANGS", "everyone", "export", "in_a_notebook", "page"]
