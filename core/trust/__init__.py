"""Fair deals, seat records and signed commands: what a host cannot do unseen (`docs/trust.md`)."""
