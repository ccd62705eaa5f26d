"""Commands and states as plain data, the same on every machine."""

from .conversion import short_form
from .wire import FORMAT_TAGS, REFUSED, RULES, TAKEBACK, Wire, pack, plain, wire_of

__all__ = [
    "FORMAT_TAGS",
    "REFUSED",
    "RULES",
    "TAKEBACK",
    "Wire",
    "exact",
    "option_text",
    "pack",
    "plain",
    "short_form",
    "wire_of",
]
