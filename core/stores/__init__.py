"""Where a host keeps its logs."""
