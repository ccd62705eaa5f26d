"""Every game as a table in words, for players that read and write: language models, and programs on a pipe."""

from __future__ import annotations

from .refusals import Refused
from .table import TextTable, text_table

__all__ = ["Refused", "TextTable", "text_table"]
