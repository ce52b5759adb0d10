"""What a crowd came to: what stands in crowd.json, in seconds and bytes, and the table of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from rich.table import Table

from weir_lab.result import Build, Machine, read_json, write_json
from weir_lab.terminal import plain_table

SCHEMA = 1  # grows when a member changes its meaning
FLAT_WITHIN = 0.1  # of the most that a connection took at any step
FLAT_FROM = 1000  # connections: fewer take less than the machine's memory moves by anyway


@dataclass(frozen=True)
class Times:
    count: int
    p50: float
    p99: float
    max: float

    @staticmethod
    def of(seconds: Sequence[float]) -> Times | None:
        if not seconds:
            return None
        ordered = sorted(seconds)

        def at(part: float) -> float:
            return ordered[min(int(part * len(ordered)), len(ordered) - 1)]

        return Times(len(ordered), at(0.5), at(0.99), ordered[-1])


@dataclass(frozen=True)
class Step:
    """With so many connections open at once. The first step is the empty server, by which the others are measured."""

    connections: int
    open_seconds: float  # to open those that the step before had not, one answer on each included
    established: int  # at the server, as the kernel counts them: when all were open,
    established_after: int  # and when all was done
    server_bytes: int  # user memory of all of its processes (Pss: what they share counts once)
    kernel_bytes: int  # of the whole machine, both ends of each connection
    server_bytes_each: float | None  # more than for the empty server, by connection
    kernel_bytes_each: float | None
    ask_seconds: float  # for one request on every connection
    answers: Times | None  # to each of them
    probe: Times | None  # new connections, one after the other: connect, ask, have the answer
    errors: dict[str, int] = field(
        default_factory=dict
    )  # connections lost, by kind: connect, read, write, timeout, status, body
    example: str = ""  # the first error's words

    def problems(self) -> list[str]:
        """Why not every connection was there and answered."""
        found = [f"{count:,} connections lost, {kind}: {self.example}" for kind, count in self.errors.items()]
        answered = self.answers.count if self.answers else 0
        if not found and answered != self.connections:
            found.append(f"{answered:,} answers came on {self.connections:,} connections")
        for words, count in (
            ("were open at the server", self.established),
            ("were left at the end", self.established_after),
        ):
            if count != self.connections:
                found.append(f"{count:,} connections {words} of {self.connections:,}")
        return found


@dataclass
class Crowd:
    started: str  # ISO 8601, UTC
    machine: Machine
    version: str
    connections: int  # that were asked for
    engine: str
    workers: int
    clients: int  # processes, each with an address of its own
    at_once: int  # requests under way, over all clients
    descriptors: int  # that a process may have
    server_command: list[str]
    steps: list[Step] = field(default_factory=list)
    finished: str | None = None  # None: it was interrupted, or ended early
    weir: Build | None = None  # None: the lab was older than this member
    schema: int = SCHEMA

    def problems(self) -> list[str]:
        return [f"with {step.connections:,} connections: {words}" for step in self.steps for words in step.problems()]

    def save(self, path: Path) -> None:
        write_json(dataclasses.asdict(self), path)

    @staticmethod
    def load(path: Path) -> Crowd:
        """Raises OSError; and ValueError, in words, for a file that is no result of this schema."""
        return cast(Crowd, read_json(Crowd, path, SCHEMA))


def flatness(steps: Sequence[Step]) -> list[str]:
    """Whether a connection takes as much among many as among few."""
    found = []
    for words, name in (("user memory", "server_bytes_each"), ("kernel memory", "kernel_bytes_each")):
        each: list[float] = [getattr(step, name) for step in steps if step.connections >= FLAT_FROM]
        if len(each) > 1:
            differ = (max(each) - min(each)) / max(each)
            found.append(
                f"{words} of a connection is {'flat' if differ <= FLAT_WITHIN else 'NOT flat'}: its steps differ by {differ:.0%}"
            )
    return found


def table(crowd: Crowd) -> Table:
    found = plain_table()
    found.title = "times: p50, p99, max in milliseconds; memory in bytes per connection"
    for name in ("connections", "opened in", "server", "kernel", "answers", "new ones", "lost"):
        found.add_column(name, justify="right")
    for step in crowd.steps:
        found.add_row(
            f"{step.connections:,}",
            f"{step.open_seconds:.1f} s",
            _bytes(step.server_bytes_each),
            _bytes(step.kernel_bytes_each),
            _times(step.answers),
            _times(step.probe),
            f"{sum(step.errors.values()):,}",
        )
    return found


def _bytes(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _times(times: Times | None) -> str:
    return "" if times is None else ", ".join(f"{value * 1e3:.2f}" for value in (times.p50, times.p99, times.max))
