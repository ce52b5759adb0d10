"""Measures for the guided hour with weir and wrk alone: short runs in rounds, so that a drift of the machine affects
all variants alike."""

import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from weir_lab.core.load import Load, LoadPlan
from weir_lab.course.teach.outcome import Outcome, Series
from weir_lab.generators.wrk import Wrk
from weir_lab.kernel import processes
from weir_lab.kernel.launching import on_cores
from weir_lab.servers.placement import Placement
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets.weir import answering

GENERATOR_GRACE_SECONDS = 30.0


@dataclass(frozen=True)
class Variant:
    """A server, and how it is loaded."""

    engine: str
    options: tuple[str, ...] = ()  # of `weir target`
    connections: int = 50
    keep_alive: bool = True


@dataclass(frozen=True)
class Loaded:
    rate: float
    cpu_per_request: float
    errors: int


class Bench:
    """`say` shows the progress, a line for each round."""

    def __init__(self, say: Callable[[str], None], seconds: float = 2.0, rounds: int = 3) -> None:
        self.say, self.seconds, self.rounds = say, seconds, rounds
        self._placement = Placement.of(1)

    def rates(self, variants: Mapping[str, Variant], rounds: int | None = None) -> Outcome:
        return self._outcome(variants, rounds, "/s", lambda one: one.rate)

    def costs(self, variants: Mapping[str, Variant]) -> Outcome:
        """Server CPU per request."""
        return self._outcome(variants, None, "s", lambda one: one.cpu_per_request)

    def figures(self, names: Mapping[str, Callable[[], float]], unit: str) -> Outcome:
        """Of anything that can be measured in one call."""
        values: dict[str, list[float]] = {name: [] for name in names}
        with _others() as others:
            for number in range(self.rounds):
                self.say(f"round {number + 1} of {self.rounds}")
                for name, measure in names.items():
                    values[name].append(measure())
        return Outcome([Series(name, unit, found) for name, found in values.items()], others[0])

    @contextmanager
    def serving(self, variant: Variant) -> Iterator[ServerProcess]:
        port = free_port()
        command = answering(variant.engine, port, *variant.options, "--quiet")
        with (
            tempfile.TemporaryDirectory(prefix="weir-lab-") as scratch,
            ServerProcess(command, port, "/", Path(scratch), self._placement.server, variant.keep_alive) as server,
        ):
            yield server

    def load(self, variant: Variant) -> Loaded:
        with self.serving(variant) as server:
            plan = LoadPlan(
                f"http://127.0.0.1:{server.port}/",
                variant.connections,
                self.seconds,
                keep_alive=variant.keep_alive,
                threads=len(self._placement.generator),
                cores=self._placement.generator,
            )
            before = server.cpu()
            load = _wrk(plan)
            used = (server.cpu() - before).seconds
        return Loaded(load.rate, used / load.requests if load.requests else 0.0, sum(load.errors.values()))

    def _outcome(
        self, variants: Mapping[str, Variant], rounds: int | None, unit: str, of: Callable[[Loaded], float]
    ) -> Outcome:
        found: dict[str, list[Loaded]] = {name: [] for name in variants}
        rounds = rounds or self.rounds
        with _others() as others:
            for number in range(rounds):
                self.say(f"round {number + 1} of {rounds}")
                names = list(variants)
                turn = number % len(names)
                for name in names[turn:] + names[:turn]:
                    found[name].append(self.load(variants[name]))
        series = [
            Series(name, unit, [of(one) for one in runs], sum(one.errors for one in runs))
            for name, runs in found.items()
        ]
        return Outcome(series, others[0])


def _wrk(plan: LoadPlan) -> Load:
    """Raises ValueError if its output can't be read."""
    assert plan.seconds
    done = subprocess.run(
        on_cores(Wrk().command(plan), plan.cores),
        capture_output=True,
        text=True,
        check=False,
        timeout=plan.seconds + GENERATOR_GRACE_SECONDS,
    )
    return Wrk().parse(done.stdout + done.stderr, plan)


@contextmanager
def _others() -> Iterator[list[float]]:
    """CPU of programs that are neither the lab nor its children, in cores. Children count once they have ended."""
    found = [0.0]
    machine, own, began = processes.machine_cpu_seconds(), _own_cpu(), time.monotonic()
    yield found
    used = processes.machine_cpu_seconds() - machine - (_own_cpu() - own)
    found[0] = max(used, 0.0) / max(time.monotonic() - began, 1e-3)


def _own_cpu() -> float:
    return sum(map(processes.own_cpu_seconds, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
