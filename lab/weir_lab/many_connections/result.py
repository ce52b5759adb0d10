"""The result: many-connections.json, in seconds and bytes, and a table of it for the terminal."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.table import Table

from weir_lab.core.result import Build, Machine
from weir_lab.core.stored import read_json, write_json
from weir_lab.report.screen import plain_table

SCHEMA = 1  # increased when a member changes its meaning
FILE_NAME = "many-connections.json"
FLAT_WITHIN = 0.1  # of the largest value of any step
FLAT_FROM = 1000  # connections: fewer take less memory than the machine's usual variation


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
    """The figures with so many connections open at once. The first step is the empty server, and the others are
    compared with it."""

    connections: int
    open_seconds: float  # to open the connections that are new in this step, with one answer on each
    established: int  # at the server, as the kernel counts, when all were open
    established_after: int  # the same at the end of the step
    server_bytes: int  # user memory of all its processes (Pss: shared memory counts once)
    kernel_bytes: int  # of the whole machine, both ends of each connection
    server_bytes_each: float | None  # more than with the empty server, divided by the connections
    kernel_bytes_each: float | None
    ask_seconds: float  # for one request on every connection
    answers: Times | None  # to each of them
    probe: Times | None  # new connections, one after the other: connect, ask, read the answer
    # Connections lost, by kind: connect, read, write, timeout, status, body.
    errors: dict[str, int] = field(default_factory=dict)
    example: str = ""  # the first error, in words

    def problems(self) -> list[str]:
        """Why not every connection was open and answered."""
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
class ManyConnections:
    started: str  # ISO 8601, UTC
    machine: Machine
    version: str
    connections: int  # asked for
    engine: str
    workers: int
    clients: int  # processes, each with its own address
    at_once: int  # requests under way, over all clients
    descriptors: int  # that a process may have at most
    server_command: list[str]
    steps: list[Step] = field(default_factory=list)
    finished: str | None = None  # None: interrupted, or ended early
    weir: Build | None = None  # None: written by a lab that did not know this member
    schema: int = SCHEMA

    def problems(self) -> list[str]:
        return [f"with {step.connections:,} connections: {words}" for step in self.steps for words in step.problems()]

    def save(self, path: Path) -> None:
        write_json(dataclasses.asdict(self), path)

    @staticmethod
    def load(path: Path) -> ManyConnections:
        """Raises OSError, and ValueError for a file that is not a result of this schema."""
        return read_json(ManyConnections, path, SCHEMA)


def flatness(steps: Sequence[Step]) -> list[str]:
    """Whether the memory of a connection stays the same however many there are."""
    found = []
    for words, name in (("user memory", "server_bytes_each"), ("kernel memory", "kernel_bytes_each")):
        each: list[float] = [getattr(step, name) for step in steps if step.connections >= FLAT_FROM]
        if len(each) > 1:
            differ = (max(each) - min(each)) / max(each)
            judged = "flat" if differ <= FLAT_WITHIN else "NOT flat"
            found.append(f"{words} of a connection is {judged}: its steps differ by {differ:.0%}")
    return found


def table(result: ManyConnections) -> Table:
    found = plain_table()
    found.title = "times: p50, p99, max in milliseconds; memory in bytes per connection"
    for name in ("connections", "opened in", "server", "kernel", "answers", "new ones", "lost"):
        found.add_column(name, justify="right")
    for step in result.steps:
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
