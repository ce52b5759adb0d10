"""Very many connections to one server on this machine, in steps: what each takes of memory, and whether every one is still answered."""

from __future__ import annotations

import datetime
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from weir_lab import crowd_machine, machine, provenance
from weir_lab.crowd_clients import Ask, Clients, Open
from weir_lab.crowd_machine import Plan
from weir_lab.crowd_members import Place, Report, probe
from weir_lab.crowd_result import Crowd, Step, Times
from weir_lab.scenario import SCENARIOS
from weir_lab.server_process import ServerProcess, free_port
from weir_lab.targets.target import Ground
from weir_lab.targets.weir import Weir

STEPS = (0.1, 0.25, 0.5, 1.0)  # of all connections
SCENARIO = SCENARIOS["keep-alive"]
SETTLE_SECONDS = 2.0
# Timers run as they would anywhere, and none runs out.
PATIENT = ["--keep-alive-timeout", "1h", "--head-timeout", "1h"]


class Watcher(Protocol):
    """Who shows the progress."""

    def begins(self, words: str, of: int) -> None: ...

    def advances(self, count: int) -> None: ...

    def ended(self, step: Step) -> None: ...


def run(plan: Plan, path: Path, watcher: Watcher) -> Crowd:
    """Saves after each step. The first step that loses a connection is the last. Raises DidNotStart and ClientEnded."""
    machine.raise_descriptor_limit()
    with (
        tempfile.TemporaryDirectory(prefix="weir-lab-crowd-") as folder,
        _serving(plan, Path(folder)) as (server, content),
        Clients(plan.clients, server.port, SCENARIO.path, content) as clients,
    ):
        crowd = _start(plan, server)
        growing = _Growing(plan, server, clients, Place("", server.port, SCENARIO.path, content), watcher)
        for connections in (0, *steps_of(plan.connections)):
            step = growing.grow(connections)
            crowd.steps.append(step)
            crowd.save(path)
            watcher.ended(step)
            if step.problems():
                return crowd
        crowd.finished = _now()
        crowd.save(path)
        return crowd


def steps_of(connections: int) -> list[int]:
    return sorted({max(1, round(connections * part)) for part in STEPS})


@contextmanager
def _serving(plan: Plan, folder: Path) -> Iterator[tuple[ServerProcess, bytes]]:
    """The file's content comes along."""
    site, scratch = folder / "site", folder / "scratch"
    site.mkdir()
    scratch.mkdir()
    content = random.Random(SCENARIO.body_bytes).randbytes(SCENARIO.body_bytes)
    (site / SCENARIO.path[1:]).write_bytes(content)
    ground = Ground(free_port(), site, scratch, plan.workers, (), plan.connections)
    command = [*Weir(plan.engine).command(SCENARIO, ground), *PATIENT]
    with ServerProcess(command, ground.port, SCENARIO.path, scratch) as server:
        yield server, content


def _start(plan: Plan, server: ServerProcess) -> Crowd:
    return Crowd(
        _now(),
        machine.describe(1),
        Weir(plan.engine).version(),
        plan.connections,
        plan.engine,
        plan.workers,
        plan.clients,
        plan.at_once,
        crowd_machine.descriptors_max(),
        server.command,
        weir=provenance.of_weir(),
    )


@dataclass
class _Growing:
    plan: Plan
    server: ServerProcess
    clients: Clients
    place: Place  # of those who come and go
    watcher: Watcher
    open: int = 0
    empty: tuple[int, int] | None = None  # memory of the server and of the kernel, before anybody stays

    def grow(self, connections: int) -> Step:
        """To so many; with none of them, those who come and go fill the caches of every worker."""
        if connections == 0:
            self._probe()
        report, open_seconds = self._timed(lambda: self._open(connections))
        established = self._established(connections)
        server_bytes, kernel_bytes = self.server.resident_bytes(), crowd_machine.kernel_bytes()
        if self.empty is None:
            self.empty = server_bytes, kernel_bytes
        asked, ask_seconds = self._timed(self._ask) if connections and not report.errors else (Report(), 0.0)
        probed = self._probe()
        established_after = self._established(connections)
        errors = report.errors + asked.errors + probed.errors
        return Step(
            connections,
            open_seconds,
            established,
            established_after,
            server_bytes,
            kernel_bytes,
            _each(server_bytes - self.empty[0], connections),
            _each(kernel_bytes - self.empty[1], connections),
            ask_seconds,
            Times.of(asked.seconds),
            Times.of(probed.seconds),
            dict(errors),
            report.example or asked.example or probed.example,
        )

    def _open(self, connections: int) -> Report:
        self.watcher.begins(f"opening {connections:,} connections", connections - self.open)
        orders = [
            Open(self.plan.share(client, connections) - self.plan.share(client, self.open))
            for client in range(self.plan.clients)
        ]
        self.open = connections
        return self.clients.tell(orders, self.watcher.advances)

    def _ask(self) -> Report:
        """One request on each."""
        self.watcher.begins(f"asking on each of {self.open:,} connections", self.open)
        orders = [Ask(max(1, self.plan.at_once // self.plan.clients))] * self.plan.clients
        return self.clients.tell(orders, self.watcher.advances)

    def _probe(self) -> Report:
        self.watcher.begins(f"new connections beside {self.open:,}", crowd_machine.PROBES)
        return probe(self.place, crowd_machine.PROBES)

    def _established(self, connections: int) -> int:
        """Looks until it is as it should be, for a while: what was reset may be under way yet, and the kernel's list, read in pieces, may
        skip some while others come and go. Nobody says when that is over."""
        until = time.monotonic() + SETTLE_SECONDS
        while (found := self.server.established()) != connections and time.monotonic() < until:
            time.sleep(0.01)
        return found

    @staticmethod
    def _timed(act: Callable[[], Report]) -> tuple[Report, float]:
        began = time.monotonic()
        return act(), time.monotonic() - began


def _each(more_bytes: int, connections: int) -> float | None:
    return more_bytes / connections if connections else None


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
