"""What every server under test looks like from here. One file each beside this one; the table is in __init__.py."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from weir_lab.scenario import Scenario


class CannotServe(Exception):
    """The target has no way to do what the scenario asks for; the words say what."""


@dataclass(frozen=True)
class ServerSetup:
    """What a target may use while it runs."""

    port: int  # free a moment ago
    site: Path  # folder with the files that scenarios ask for
    scratch: Path  # a folder of its own: configuration, logs, process ids
    workers: int
    cores: tuple[int, ...]  # where it may run; empty: anywhere. The lab pins it, children inherit that.
    connections: int  # that will come: limits must allow them


class Target(Protocol):
    name: str  # "weir/per-core", "nginx-4", "floor/epoll"
    summary: str  # one line for the report: what it is and how it is tuned

    def needs(self) -> tuple[str, ...]:
        """Parts of the lab to build ("floor", "hyper") and missing packages to install, for tools/lab.sh."""

    def missing(self) -> str | None:
        """Why it can't run here, with the command that fixes it; None where it can."""

    def version(self) -> str: ...

    def workers(self, wanted: int) -> int:
        """That it will run with: some have their own number."""

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        """Writes the configuration it needs into `setup.scratch`, and returns a command that stays in the foreground
        and ends at SIGTERM. Raises CannotServe."""
