"""What every load generator looks like from here. One file each beside this one; the table is in __init__.py."""

from __future__ import annotations

from typing import Protocol

from weir_lab.load import Load, LoadPlan


class CannotLoad(Exception):
    """The generator has no way to do what the plan asks for; the words say what."""


class Generator(Protocol):
    name: str
    start_up_seconds: float  # before its first request: what is looked at in the middle of a run must wait for that

    def needs(self) -> tuple[str, ...]:
        """Parts of the lab to build ("rps", "oha", "locust") and missing packages to install, for tools/lab.sh."""

    def missing(self) -> str | None:
        """Why it can't be used here, with the command that fixes it; None where it can."""

    def version(self) -> str:
        """One line, as the program says it."""

    def command(self, plan: LoadPlan) -> list[str]:
        """Raises CannotLoad: wrk has no open loop, ab no pipelining."""

    def parse(self, output: str, plan: LoadPlan) -> Load:
        """Of what it printed on standard output and standard error together, through one pipe.
        Raises ValueError where that can't be read."""
