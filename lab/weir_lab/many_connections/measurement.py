"""Opens the connections in steps. At each step it measures the memory, sends one request on every connection, and tries
some new connections beside them."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from weir_lab.core.result import now
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import ServerSetup
from weir_lab.many_connections import planning
from weir_lab.many_connections.connections import Endpoint, Report, probe
from weir_lab.many_connections.planning import Plan
from weir_lab.many_connections.processes import Ask, ClientProcesses, Open
from weir_lab.many_connections.result import ManyConnections, Step, Times
from weir_lab.running import machine, provenance
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets.weir import Weir

STEPS = (0.1, 0.25, 0.5, 1.0)  # parts of all connections
SCENARIO = SCENARIOS["keep-alive"]
SETTLE_SECONDS = 2.0
# Each connection has its timers, as usual, but none of them expires during the measurement.
LONG_TIMEOUTS = ["--keep-alive-timeout", "1h", "--head-timeout", "1h"]


class Observer(Protocol):
    """Shows the progress."""

    def begins(self, words: str, of: int) -> None: ...

    def advances(self, count: int) -> None: ...

    def ended(self, step: Step) -> None: ...


def run(plan: Plan, path: Path, observer: Observer) -> ManyConnections:
    """Saves after each step, and stops after the first step that loses a connection. Raises DidNotStart and
    ClientEnded."""
    machine.raise_descriptor_limit()
    with (
        tempfile.TemporaryDirectory(prefix="weir-lab-connections-") as folder,
        _serving(plan, Path(folder)) as (server, content),
        ClientProcesses(plan.clients, server.port, SCENARIO.path, content) as clients,
    ):
        result = _start(plan, server)
        measurement = _Measurement(plan, server, clients, Endpoint("", server.port, SCENARIO.path, content), observer)
        for connections in (0, *steps_of(plan.connections)):
            step = measurement.step(connections)
            result.steps.append(step)
            result.save(path)
            observer.ended(step)
            if step.problems():
                return result
        result.finished = now()
        result.save(path)
        return result


def steps_of(connections: int) -> list[int]:
    return sorted({max(1, round(connections * part)) for part in STEPS})


@contextmanager
def _serving(plan: Plan, folder: Path) -> Iterator[tuple[ServerProcess, bytes]]:
    """Yields the server and the content of the file that it serves."""
    site, scratch = folder / "site", folder / "scratch"
    site.mkdir()
    scratch.mkdir()
    content = random.Random(SCENARIO.body_bytes).randbytes(SCENARIO.body_bytes)
    (site / SCENARIO.path[1:]).write_bytes(content)
    setup = ServerSetup(free_port(), site, scratch, plan.workers, (), plan.connections)
    command = [*Weir(plan.engine).command(SCENARIO, setup), *LONG_TIMEOUTS]
    with ServerProcess(command, setup.port, SCENARIO.path, scratch) as server:
        yield server, content


def _start(plan: Plan, server: ServerProcess) -> ManyConnections:
    return ManyConnections(
        started=now(),
        machine=machine.describe(1),
        version=Weir(plan.engine).version(),
        connections=plan.connections,
        engine=plan.engine,
        workers=plan.workers,
        clients=plan.clients,
        at_once=plan.at_once,
        descriptors=planning.descriptors_max(),
        server_command=server.command,
        weir=provenance.of_weir(),
    )


@dataclass
class _Measurement:
    plan: Plan
    server: ServerProcess
    clients: ClientProcesses
    probed: Endpoint  # where the new connections go that are closed at once
    observer: Observer
    open: int = 0
    empty: tuple[int, int] | None = None  # memory of the server and of the kernel without connections

    def step(self, connections: int) -> Step:
        """Opens connections until there are so many. With none, the probes fill the caches of every worker first."""
        if connections == 0:
            self._probe()
        report, open_seconds = self._timed(lambda: self._open(connections))
        established = self._established(connections)
        server_bytes, kernel_bytes = self.server.resident_bytes(), planning.kernel_bytes()
        if self.empty is None:
            self.empty = server_bytes, kernel_bytes
        asked, ask_seconds = self._timed(self._ask) if connections and not report.errors else (Report(), 0.0)
        probed = self._probe()
        return Step(
            connections=connections,
            open_seconds=open_seconds,
            established=established,
            established_after=self._established(connections),
            server_bytes=server_bytes,
            kernel_bytes=kernel_bytes,
            server_bytes_each=_each(server_bytes - self.empty[0], connections),
            kernel_bytes_each=_each(kernel_bytes - self.empty[1], connections),
            ask_seconds=ask_seconds,
            answers=Times.of(asked.seconds),
            probe=Times.of(probed.seconds),
            errors=dict(report.errors + asked.errors + probed.errors),
            example=report.example or asked.example or probed.example,
        )

    def _open(self, connections: int) -> Report:
        self.observer.begins(f"opening {connections:,} connections", connections - self.open)
        orders = [
            Open(self.plan.share(client, connections) - self.plan.share(client, self.open))
            for client in range(self.plan.clients)
        ]
        self.open = connections
        return self.clients.tell(orders, self.observer.advances)

    def _ask(self) -> Report:
        """Sends one request on each connection."""
        self.observer.begins(f"asking on each of {self.open:,} connections", self.open)
        orders = [Ask(max(1, self.plan.at_once // self.plan.clients))] * self.plan.clients
        return self.clients.tell(orders, self.observer.advances)

    def _probe(self) -> Report:
        self.observer.begins(f"new connections beside {self.open:,}", planning.PROBES)
        return probe(self.probed, planning.PROBES)

    def _established(self, connections: int) -> int:
        """Counts again for a while until the number is right. A reset may still be under way, and the kernel gives its
        list in pieces, which may skip a connection while others come and go. No event tells when that is over."""
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
