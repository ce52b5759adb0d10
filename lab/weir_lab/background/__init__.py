"""Background connections: open beside the measured traffic, and either idle or slow."""
