"""The interface of every server under test. Each has its own file in this folder, and __init__.py has the table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from weir_lab.core.scenario import Scenario
from weir_lab.core.serving import users
from weir_lab.core.tls import Certificate

AGAIN = " (again)"  # after the name of a target: the control, the same target a second time
OTHER = "other-"  # before the name of an engine, as in other-weir/per-core: the same engine of another build


def is_floor(name: str) -> bool:
    return name.startswith("floor/")


def is_control(name: str) -> bool:
    return name.endswith(AGAIN)


def is_other(name: str) -> bool:
    return name.startswith(OTHER)


class CannotServe(Exception):
    """The target cannot do what the scenario asks for. The message says what."""


@dataclass(frozen=True)
class ServerSetup:
    """What a target may use while it runs."""

    port: int  # was free just now
    site: Path  # the folder with the files that scenarios ask for
    scratch: Path  # the target's own folder: configuration, logs, process ids
    workers: int
    cores: tuple[int, ...]  # where it may run; empty: anywhere. The lab pins it; its children inherit that.
    connections: int  # the most there will be: limits must allow them
    other_port: int = 0  # of the other server, at 127.0.0.1, if the target is a proxy

    @property
    def certificate(self) -> Certificate:
        """Of the scenarios over TLS: the lab has made it."""
        return Certificate.of(self.scratch)

    @property
    def users(self) -> Path:
        """An htpasswd file, of the scenarios with a password: the lab has made it."""
        return users(self.scratch)


class Target(Protocol):
    name: str  # "weir/per-core", "nginx-4", "floor/epoll"
    summary: str  # one line for the report: what it is and how it is tuned

    def needs(self) -> tuple[str, ...]:
        """Parts of the lab to build ("floor", "hyper") and missing packages to install, for tools/lab.sh."""

    def missing(self) -> str | None:
        """Why it cannot run here, with the command that fixes it; None if it can."""

    def version(self) -> str: ...

    def workers(self, wanted: int) -> int:
        """The number that it will run with: some targets have a fixed one."""

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        """Writes its configuration into `setup.scratch`, and returns a command that stays in the foreground and ends at
        SIGTERM. Raises CannotServe."""
