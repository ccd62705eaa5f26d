"""Fair deals, seat records and signed commands: what a host cannot do unseen (`docs/trust.md`)."""

__all__ = [
    "audit",
    "canonical",
    "ceremony",
    "evidence",
    "formulas",
    "header_keys",
    "raw_log",
    "records",
    "roster",
    "seat_record",
    "signing",
]
