"""The interface of every load generator. Each has its own file in this folder, and __init__.py has the table."""

from pathlib import Path
from typing import Any, Protocol

from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.program import first_line, missing_crate, missing_package, nonzero, path_of


class CannotLoad(Exception):
    """The generator cannot do what the plan asks for. The message says what."""


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


class Client:
    """What generators have in common. Unless a class says otherwise, it sends GET over plain HTTP/1.1."""

    name = ""
    start_up_seconds = 0.0
    sends_methods = sends_fields = sends_messages = is_secure = False
    # Why it has none; None: it has one.
    no_open_loop: str | None = "has no open loop"
    no_pipelining: str | None = "has no pipelining"
    no_number: str | None = None
    only_for = ""

    def is_for(self, plan: LoadPlan) -> bool:
        """Whether it can do this kind of work at all; `only_for` says which."""
        return True

    def reject(self, plan: LoadPlan) -> None:
        """Raises CannotLoad."""
        field = plan.fields[0].partition(":")[0] if plan.fields else ""
        for is_asked, why in (
            (plan.is_echo and not self.sends_messages, "speaks no WebSocket here; echoes does"),
            (field and not self.sends_fields, f"sends no fields of a scenario here; wrk sends {field}"),
            (
                plan.method != "GET" and not self.sends_methods,
                f"sends GET only here; wrk, oha and rps send {plan.method}",
            ),
            (not self.is_for(plan), self.only_for),
            ((plan.tls or plan.http2) and not self.is_secure, PLAIN),
            (plan.rate is not None, self.no_open_loop),
            (plan.pipeline > 1, self.no_pipelining),
            (plan.seconds is None, self.no_number),
        ):
            if is_asked and why:
                raise CannotLoad(f"{self.name} {why}")


PLAIN = (
    "speaks plain HTTP/1.1 here; h2load speaks TLS and HTTP/2, and handshakes is for TLS with a connection for each "
    "request"
)


class PackagedClient(Client):
    """A program of a Debian package."""

    package = ""

    def needs(self) -> tuple[str, ...]:
        return (self.package,) if self.missing() else ()

    def missing(self) -> str | None:
        return missing_package(self.name, self.package)


class BuiltClient(Client):
    """A program that the lab builds."""

    program: Path
    how_to_build = ""

    def needs(self) -> tuple[str, ...]:
        return (self.name,)

    def missing(self) -> str | None:
        return missing_crate(self.name, self.program, self.how_to_build)

    def version(self) -> str:
        return first_line(self.path(), "--version")

    def path(self) -> str:
        return path_of(self.name, self.program)


def built_crate(name: str) -> str:
    """How to build one of the lab's own."""
    return f"CARGO_TARGET_DIR=build/lab/{name} cargo build --release --locked --manifest-path lab/{name}/Cargo.toml"


def load_of(said: dict[str, Any], requests: str = "requests", **more: Any) -> Load:
    """From what a program of the lab printed. Its bytes are those of contents."""
    latency = Latency(**said["latency_seconds"]) if said["latency_seconds"] else Latency()
    known: dict[str, Any] = {"bytes_received": said.get("body_bytes")} | more
    return Load(
        said[requests], said["seconds"], bytes_are_bodies=True, latency=latency, errors=nonzero(said["errors"]), **known
    )
