"""The interface of every load generator. Each has its own file in this folder, and __init__.py has the table."""

from __future__ import annotations

from typing import Protocol

from weir_lab.core.load import Load, LoadPlan


class CannotLoad(Exception):
    """The generator cannot do what the plan asks for. The message says what."""


def reject_other_methods(name: str, plan: LoadPlan) -> None:
    if plan.method != "GET":
        raise CannotLoad(f"{name} sends GET only here; wrk, oha and rps send {plan.method}")


def reject_fields(name: str, plan: LoadPlan) -> None:
    if plan.fields:
        raise CannotLoad(f"{name} sends no fields of a scenario here; wrk sends {plan.fields[0].partition(':')[0]}")


def reject_messages(name: str, plan: LoadPlan) -> None:
    if plan.is_echo:
        raise CannotLoad(f"{name} speaks no WebSocket here; echoes does")


def reject_secure(name: str, plan: LoadPlan) -> None:
    if plan.tls or plan.http2:
        raise CannotLoad(
            f"{name} speaks plain HTTP/1.1 here; h2load speaks TLS and HTTP/2, and handshakes is for TLS with a "
            "connection for each request"
        )


class Generator(Protocol):
    name: str
    start_up_seconds: float  # before its first request: the look at the middle of a run waits for it

    def needs(self) -> tuple[str, ...]:
        """Parts of the lab to build ("rps", "oha", "locust") and missing packages to install, for tools/lab.sh."""

    def missing(self) -> str | None:
        """Why it cannot be used here, with the command that fixes it; None if it can."""

    def version(self) -> str:
        """One line, as the program prints it."""

    def command(self, plan: LoadPlan) -> list[str]:
        """Raises CannotLoad: wrk has no open loop, for example."""

    def parse(self, output: str, plan: LoadPlan) -> Load:
        """Reads its standard output and standard error, which come through one pipe. Raises ValueError for output that
        it cannot read."""
