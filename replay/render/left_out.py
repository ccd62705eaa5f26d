"""The line of a log that a command leaves out, and why."""

from __future__ import annotations

from rich.text import Text

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts


def left_out_line(log: object, why: str, texts: Texts, label: str = "stats-left") -> Text:
    """Return what is said of a log, a name or a path: the words of `label`, the log, and why."""
    said = [texts.format(label), sanitize(str(log), 300), sanitize(texts.message(why), 300)]
    return Text(texts.colon.join(said), style="red")
