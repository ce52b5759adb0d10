"""Starts the server of a run, and the one behind a proxy, on their cores."""
