"""The output of a verb: text for a person, or JSON lines for a program."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from attrs import frozen
from rich.console import Console
from rich.text import Text

from ...core.text.texts import Texts

PIPE_WIDTH = 80
MAX_WIDTH = 100


class ConsoleWriter:
    """Standard output, at most `MAX_WIDTH` cells wide."""

    def __init__(self, *, plain: bool = False) -> None:
        known = os.environ.get("COLUMNS", "")
        asked = int(known) if known.isascii() and known.isdigit() and len(known) < 5 else PIPE_WIDTH
        self._console = Console(
            file=sys.stdout,
            force_terminal=False if plain else None,
            width=None if sys.stdout.isatty() else max(asked, 40),
            highlight=False,
            markup=False,
            emoji=False,
        )
        self._coloured = self._console.is_terminal
        self.is_terminal = sys.stdout.isatty()
        self.width = min(self._console.width, MAX_WIDTH)

    def print(self, *lines: Text | str) -> None:
        """Print lines as they are, without wrapping."""
        if not self._coloured:  # rich would take ten times as long
            sys.stdout.writelines(f"{line}\n" for line in lines)
            return
        for line in lines:
            self._console.print(line, no_wrap=True, overflow="ignore", crop=False)

    def json(self, value: Any) -> None:
        """Write one object as a line of ASCII, so that no control character of a log reaches the terminal."""
        line = json.dumps(value, separators=(", ", ": "))
        if "\\ud" in line:  # half a pair of surrogates, as of a file name that is not UTF-8, is no JSON for others
            whole = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
            line = json.dumps(whole, separators=(", ", ": "))
        sys.stdout.write(line + "\n")


@frozen
class Output:
    """Where the answer of a verb goes: text in a language for a person, or JSON for a program."""

    texts: Texts
    writer: ConsoleWriter
    json: bool
    plain: bool

    @property
    def shows_bar(self) -> bool:
        """False where no bar is wanted, or it would stand among lines of JSON."""
        return not (self.plain or (self.json and self.writer.is_terminal))
