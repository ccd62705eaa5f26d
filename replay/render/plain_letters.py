"""Letters and ASCII signs for an output that is not UTF-8, where a card `♠6` would become `?6`."""

from __future__ import annotations

import codecs

ERRORS = "kifu.letters"
"""The name of the error handler: `stream.reconfigure(errors=ERRORS)`."""
SIGNS = "♠♥♦♣★☾…–—−─━·×✗✓◂▸→←±“”‘’"
IN_ASCII = [*"SHDC*M", "...", *"----=.xx+<>", "->", "<-", "+-", *"\"\"''"]
LETTERS = dict(zip(SIGNS, IN_ASCII, strict=True))


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace the characters that cannot be encoded: by their letters, others by `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    return "".join(LETTERS.get(letter, "?") for letter in unknown), error.end


def register() -> None:
    """Make the error handler known to Python."""
    codecs.register_error(ERRORS, _in_letters)
