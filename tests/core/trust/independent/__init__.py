"""A second verifier, written from `docs/trust.md` alone: it imports nothing of kifu, so that no mistake is shared.

It knows no rules. What only they tell is left to the engine: deals, views, notes, what is shown of a redacted command,
and whether a takeback needed consent.
"""

from .judging import audit, compare, is_record, redacted, verify

__all__ = ["audit", "compare", "is_record", "redacted", "verify"]
