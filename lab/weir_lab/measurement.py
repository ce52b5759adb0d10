"""One run: starts a server and warms it up, loads it with a generator, and reads the kernel's counters before and
after."""

from __future__ import annotations

import datetime
import os
import resource
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from weir_lab import machine, processes, validity
from weir_lab.background.connections import BackgroundConnections
from weir_lab.counting import clients
from weir_lab.generators import GENERATORS
from weir_lab.generators.generator import CannotLoad, Generator
from weir_lab.launching import on_cores
from weir_lab.load import Load, LoadPlan
from weir_lab.own.starting import asked_of, network_of, start_of
from weir_lab.result import Cell, Run, ServerUse
from weir_lab.scenario import SCENARIOS, Scenario
from weir_lab.server_process import DidNotStart, ServerProcess, free_port
from weir_lab.targets import find as find_target
from weir_lab.targets.target import CannotServe, ServerSetup
from weir_lab.tracing import tracing, with_calls
from weir_lab.trust import sampler
from weir_lab.trust.validator import Untrue
from weir_lab.trust.witness import Witness

GENERATOR_GRACE_SECONDS = 60.0  # beyond the time it was given
COUNTED_SECONDS_MAX = 600.0  # for a number of requests: half a million, one after the other, take a minute or two
MIDDLE = 0.6  # of the run, when the lab looks at connections and memory


@dataclass(frozen=True)
class Placement:
    """The cores of the server and those of the generator. They share all cores if there are too few."""

    server: tuple[int, ...]
    generator: tuple[int, ...]

    @staticmethod
    def of(workers: int) -> Placement:
        cores = tuple(sorted(os.sched_getaffinity(0)))
        if workers >= len(cores):
            return Placement(cores, cores)
        return Placement(cores[:workers], cores[workers:])

    def words(self) -> str:
        def names(cores: tuple[int, ...]) -> str:
            return ("core " if len(cores) == 1 else "cores ") + ", ".join(map(str, cores))

        if self.server == self.generator:
            return f"server and generator share {names(self.server)}"
        return f"server on {names(self.server)}, generator on {names(self.generator)}"


@dataclass(frozen=True)
class Order:
    """The arguments of measure()."""

    cell: Cell
    round: int
    seconds: float
    warm_up_seconds: float
    site: Path
    rate: float | None = None  # open loop
    traced: bool = False


def measure(order: Order) -> Run:
    """Never raises because of a server or a generator. If the run failed, its `refused` says why."""
    return _measure(order).with_state()


def _measure(order: Order) -> Run:
    cell = order.cell
    empty = Run(
        cell,
        order.round,
        datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        None,
        None,
        traced=order.traced,
    )
    target, generator = find_target(cell.target), GENERATORS[cell.generator]
    scenario = asked_of(target, SCENARIOS[cell.scenario])
    if missing := target.missing() or generator.missing():
        return replace(empty, refused=[missing])
    workers = target.workers(cell.workers)
    placement = Placement.of(workers)
    with network_of(target) as network, tempfile.TemporaryDirectory(prefix="weir-lab-") as scratch:
        empty = replace(empty, network=network.words())
        setup = ServerSetup(
            free_port(),
            order.site,
            Path(scratch),
            workers,
            placement.server,
            cell.connections + _background_of(scenario) + sampler.CONNECTIONS_MAX,
        )
        try:
            with ServerProcess(
                target.command(scenario, setup),
                setup.port,
                scenario.path,
                Path(scratch),
                placement.server,
                scenario.keep_alive,
                start_of(target, scenario, setup.port),
            ) as server:
                witness = Witness(target, scenario, order.site, server, network)
                run = replace(empty, server_command=server.command, response_head=server.response_head)
                try:
                    witness.question(workers)
                except Untrue as error:
                    return replace(run, refused=[str(error)], trust=witness.found())
                return _load(order, scenario, generator, server, placement, run, witness)
        except (CannotServe, CannotLoad, DidNotStart) as error:
            return replace(empty, refused=[str(error)])


def _background_of(scenario: Scenario) -> int:
    return scenario.idle_connections + scenario.slow_readers + scenario.slow_senders


def _load(
    order: Order,
    scenario: Scenario,
    generator: Generator,
    server: ServerProcess,
    placement: Placement,
    run: Run,
    witness: Witness,
) -> Run:
    plan = _plan(order, scenario, server.port, placement)
    run = replace(run, generator_command=generator.command(plan), asked_rate=order.rate)
    with BackgroundConnections(scenario, server.port) as background:
        if order.warm_up_seconds > 0:
            # A closed loop of the same work fills the caches, the heap and the buffers of the sockets.
            _run(
                generator.command(replace(plan, seconds=order.warm_up_seconds, rate=None)), plan, order.warm_up_seconds
            )
        with (
            tracing(server.pid if order.traced else None) as calls,
            witness.watching(placement.generator, generator.start_up_seconds, samples=not order.traced),
        ):
            watched = watch(server, run.generator_command, plan, order.seconds, generator.start_up_seconds)
        run = replace(run, trust=witness.found(watched.seconds))
        judged = _judge(run, scenario, generator, server, placement, plan, watched, background.lost())
        return with_calls(judged, calls) if order.traced else judged


def _plan(order: Order, scenario: Scenario, port: int, placement: Placement) -> LoadPlan:
    return LoadPlan(
        url=f"http://127.0.0.1:{port}{scenario.path}",
        connections=order.cell.connections,
        seconds=order.seconds,
        keep_alive=scenario.keep_alive,
        pipeline=scenario.pipeline,
        method=scenario.method,
        request_bytes=scenario.request_bytes,
        rate=order.rate,
        threads=min(len(placement.generator), order.cell.connections),
        body_bytes=scenario.body_bytes,
        cores=placement.generator,
    )


@dataclass(frozen=True)
class Watched:
    output: str
    failed: str  # how the generator itself failed, in words
    use: ServerUse
    generator_cpu_seconds: float
    other_cpu_seconds: float
    seconds: float


def watch(
    server: ServerProcess, command: list[str], plan: LoadPlan, seconds: float, start_up_seconds: float = 0.0
) -> Watched:
    """Runs the command of the generator, which should take that long, and reports what the server used meanwhile."""
    machine_before, own_before, children_before = (
        processes.machine_cpu_seconds(),
        _own_cpu(resource.RUSAGE_SELF),
        _own_cpu(resource.RUSAGE_CHILDREN),
    )
    cpu_before, switches_before, began = server.cpu(), server.context_switches(), time.monotonic()
    with (
        _in_the_middle(server, start_up_seconds + seconds * MIDDLE, plan.connections) as middle,
        clients.most_at_once(server.port, wanted=not plan.keep_alive) as most,
    ):
        output, failed = _run(command, plan, seconds)
    took = time.monotonic() - began
    used, switches = server.cpu() - cpu_before, server.context_switches() - switches_before
    generator = _own_cpu(resource.RUSAGE_CHILDREN) - children_before
    own = _own_cpu(resource.RUSAGE_SELF) - own_before
    others = processes.machine_cpu_seconds() - machine_before - used.seconds - generator - own
    use = ServerUse(
        used.user_seconds,
        used.system_seconds,
        middle.get("resident"),
        max(switches, 0),
        None,
        middle.get("established"),
        clients_at_once=most.at_once,
    )
    return Watched(output, failed, use, generator, max(others, 0.0), took)


@contextmanager
def _in_the_middle(server: ServerProcess, delay: float, connections: int) -> Iterator[dict[str, int]]:
    """Looks at connections and memory when the load has been on for a while."""
    found: dict[str, int] = {}

    def look() -> None:
        found["established"] = server.established()
        if found["established"] < connections:  # the kernel gives its list in pieces, and may skip some
            found["established"] = max(found["established"], server.established())
        found["resident"] = server.resident_bytes()

    timer = threading.Timer(delay, look)
    timer.start()
    try:
        yield found
    finally:
        timer.cancel()
        timer.join()


def _run(command: list[str], plan: LoadPlan, seconds: float) -> tuple[str, str]:
    """Returns what the generator printed, and how it failed, if it did. Standard error is included, because the parsers
    look for errors in it."""

    try:
        done = subprocess.run(
            on_cores(command, plan.cores),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_longest(plan, seconds),
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
        return (
            output if isinstance(output, str) else output.decode(errors="replace")
        ), "the generator did not end in time"
    failed = "" if done.returncode == 0 else f"the generator ended with {done.returncode}: {done.stdout.strip()[-300:]}"
    return done.stdout, failed


def _longest(plan: LoadPlan, seconds: float) -> float:
    return (seconds if plan.seconds is not None else COUNTED_SECONDS_MAX) + GENERATOR_GRACE_SECONDS


def _own_cpu(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def _judge(
    run: Run,
    scenario: Scenario,
    generator: Generator,
    server: ServerProcess,
    placement: Placement,
    plan: LoadPlan,
    watched: Watched,
    lost: int,
) -> Run:
    run = replace(
        run,
        generator_output=watched.output,
        server=watched.use,
        generator_cpu_seconds=watched.generator_cpu_seconds,
        other_cpu_seconds=watched.other_cpu_seconds,
    )
    load, unread = _read(generator, watched.output, plan)
    run = replace(run, load=load)
    if watched.failed or load is None:
        # The figures do not count, but they show which errors occurred.
        return replace(run, refused=[words for words in (watched.failed, unread) if words])
    around = validity.Circumstances(
        scenario=scenario,
        server_cores=len(placement.server),
        generator_cores=len(placement.generator),
        head_bytes=run.trust.validated.head_bytes if run.trust and run.trust.validated else 0,
        background=_background_of(scenario),
        background_lost=lost,
        ports=machine.client_ports(),
        time_wait=server.client_ports_waiting(),
        server_ended=server.has_ended(),
        shares_cores=placement.server == placement.generator,
        asked_seconds=plan.seconds,
        start_up_seconds=generator.start_up_seconds,
    )
    return replace(run, refused=validity.reasons(run, around), limited=validity.limit(run, around))


def _read(generator: Generator, output: str, plan: LoadPlan) -> tuple[Load | None, str]:
    try:
        return generator.parse(output, plan), ""
    except ValueError as error:
        return None, f"what the generator printed can't be read: {error}"
