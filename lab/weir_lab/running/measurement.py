"""One run: starts a server and warms it up, loads it with a generator, and reads the kernel's counters before and
after."""

import os
import resource
import subprocess
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from weir_lab.clients import sampler
from weir_lab.clients.background import BackgroundConnections
from weir_lab.clients.transport import Transport
from weir_lab.core import serving
from weir_lab.core.findings import Validated
from weir_lab.core.load import Load, LoadPlan
from weir_lab.core.result import Cell, Run, ServerUse, now
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import CannotServe, ServerSetup, Target
from weir_lab.core.tls import Certificate
from weir_lab.counting import clients, tracing, windows
from weir_lab.counting.steady import Steady, Subject, Watch
from weir_lab.generators import GENERATORS
from weir_lab.generators.generator import CannotLoad, Generator
from weir_lab.kernel import processes
from weir_lab.kernel.launching import on_cores
from weir_lab.network import delays, links
from weir_lab.network.links import CannotLay
from weir_lab.network.namespaces import SHARED, Network
from weir_lab.running import machine
from weir_lab.servers import other_server
from weir_lab.servers.other_server import OtherServer, behind
from weir_lab.servers.placement import Placement
from weir_lab.servers.server_process import DidNotStart, ServerProcess, free_port
from weir_lab.servers.starting import asked_of, network_of, start_of
from weir_lab.targets import find as find_target
from weir_lab.verify import validity
from weir_lab.verify.validator import Untrue
from weir_lab.verify.witness import Witness

GENERATOR_GRACE_SECONDS = 60.0  # beyond the time it was given
COUNTED_SECONDS_MAX = 600.0  # for a number of requests: half a million, one after the other, take a minute or two


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
    cell = order.cell
    empty = Run(cell, order.round, now(), None, None, traced=order.traced)
    target, generator = find_target(cell.target), GENERATORS[cell.generator]
    scenario = asked_of(target, SCENARIOS[cell.scenario])
    if missing := target.missing() or generator.missing():
        return replace(empty, refused=[missing])
    try:
        with network_of(target) as private, links.laid(scenario.network, private) as network:
            return _serve(order, target, generator, scenario, replace(empty, network=network.words()), network)
    except (CannotServe, CannotLoad, CannotLay, DidNotStart) as error:
        return replace(empty, refused=[str(error)])


def _serve(order: Order, target: Target, generator: Generator, scenario: Scenario, run: Run, network: Network) -> Run:
    """Starts the server in the calling thread's network namespace, and questions it."""
    workers = target.workers(order.cell.workers)
    placement = replace(Placement.of(workers, scenario.proxied), network=network)
    with (
        tempfile.TemporaryDirectory(prefix="weir-lab-") as scratch,
        behind(scenario, Path(scratch), placement.other) as other,
    ):
        placement = replace(placement, other_server=other)
        if scenario.tls:
            Certificate.make(Path(scratch))
        if scenario.password:
            serving.write_users(Path(scratch))
        transport = Transport.of(scenario, Path(scratch))
        setup = ServerSetup(
            free_port(),
            order.site,
            Path(scratch),
            workers,
            placement.server,
            order.cell.connections + _background_of(scenario) + sampler.CONNECTIONS_MAX,
            other.process.port if other else 0,
        )
        with ServerProcess(
            target.command(scenario, setup),
            setup.port,
            scenario.path,
            Path(scratch),
            placement.server,
            scenario.keep_alive,
            start_of(target, scenario, setup.port, transport),
        ) as server:
            asks_in = "2" if scenario.http2 else getattr(generator, "asks_in", "1.1")
            witness = Witness(target, scenario, order.site, server, network, asks_in, transport, other)
            run = replace(run, server_command=server.command, response_head=server.response_head)
            try:
                witness.question(workers)
            except Untrue as error:
                return replace(run, refused=[str(error)], trust=witness.found())
            return _load_from_afar(Arranged(order, scenario, generator, server, placement, witness), run)


@dataclass(frozen=True)
class Arranged:
    """What a run is made of once its server answers."""

    order: Order
    scenario: Scenario
    generator: Generator
    server: ServerProcess
    placement: Placement
    witness: Witness


def _background_of(scenario: Scenario) -> int:
    return scenario.idle_connections + scenario.slow_readers + scenario.slow_senders


def _load_from_afar(one: Arranged, run: Run) -> Run:
    network = one.placement.network
    with delays.between(one.scenario.clients, one.server.port, network, one.placement.generator) as distance:
        run = replace(run, network="; ".join(words for words in (run.network, distance.by) if words))
        run = _load(replace(one, placement=replace(one.placement, distance=distance)), run)
    return replace(run, refused=[*run.refused, *distance.reasons()])


def _load(one: Arranged, run: Run) -> Run:
    order, scenario, generator, server, placement = one.order, one.scenario, one.generator, one.server, one.placement
    plan = _plan(one)
    run = replace(run, generator_command=generator.command(plan), asked_rate=order.rate)
    idle = scenario.idle_connections
    empty_bytes = server.resident_bytes() if idle else 0
    with BackgroundConnections(scenario, server.port, server.transport.client) as background:
        idle_bytes = (server.resident_bytes() - empty_bytes) / idle if idle else None
        if order.warm_up_seconds > 0:
            # A closed loop of the same work fills the caches, the heap and the buffers of the sockets.
            warm_up = generator.command(replace(plan, seconds=order.warm_up_seconds, rate=None))
            _run(warm_up, plan, order.warm_up_seconds, placement.clients())

        def once(way: tracing.Way | None = None) -> Run:
            with (
                way(server.pid) if way else nullcontext() as counts,
                one.witness.watching(
                    placement.generator,
                    generator.start_up_seconds,
                    order.seconds,
                    samples=not order.traced,
                    is_open_loop=order.rate is not None,
                ),
            ):
                watched = watch(
                    server, run.generator_command, plan, order.seconds, generator.start_up_seconds, placement
                )
            watched = replace(watched, use=replace(watched.use, idle_bytes=idle_bytes))
            known = replace(run, trust=one.witness.found(watched.seconds))
            judged = _judge(one, known, plan, watched, background.lost())
            judged = replace(judged, refused=[*judged.refused, *one.witness.question_again()])
            return tracing.with_counts(judged, counts) if counts else judged

        return tracing.together([once(way) for way in tracing.ways()]) if order.traced else once()


def _plan(one: Arranged) -> LoadPlan:
    order, scenario, server, placement = one.order, one.scenario, one.server, one.placement
    scheme = "ws" if scenario.is_echo else "https" if scenario.tls else "http"
    port = placement.distance.port if placement.distance else server.port
    client = server.transport.client
    return LoadPlan(
        url=f"{scheme}://127.0.0.1:{port}{scenario.path}",
        connections=order.cell.connections,
        seconds=order.seconds,
        keep_alive=scenario.keep_alive,
        pipeline=scenario.pipeline,
        method=scenario.method,
        request_bytes=scenario.request_bytes,
        fields=scenario.fields,
        rate=order.rate,
        threads=min(len(placement.generator), order.cell.connections),
        body_bytes=scenario.body_bytes,
        cores=placement.generator,
        http2=scenario.http2,
        resumes=scenario.resumed,
        certificate=client.certificate if client else None,
    )


@dataclass(frozen=True)
class Watched:
    output: str
    failed: str  # how the generator itself failed, in words
    use: ServerUse
    generator_cpu_seconds: float
    other_cpu_seconds: float
    seconds: float
    steady: Steady | None = None
    other_server_cpu_seconds: float | None = None

    def added_to(self, run: Run) -> Run:
        return replace(
            run,
            generator_output=self.output,
            server=self.use,
            generator_cpu_seconds=self.generator_cpu_seconds,
            other_cpu_seconds=self.other_cpu_seconds,
            other_server_cpu_seconds=self.other_server_cpu_seconds,
        )


def watch(
    server: ServerProcess,
    command: list[str],
    plan: LoadPlan,
    seconds: float,
    start_up_seconds: float = 0.0,
    placement: Placement | None = None,
) -> Watched:
    """Runs the command of the generator, which should take that long, and reports what the server used meanwhile."""
    placement = placement or Placement.of(os.cpu_count() or 1)
    machine_before, own_before, children_before = (
        processes.machine_cpu_seconds(),
        processes.own_cpu_seconds(resource.RUSAGE_SELF),
        processes.own_cpu_seconds(resource.RUSAGE_CHILDREN),
    )
    proxy_before = placement.distance.cpu_seconds() if placement.distance else 0.0
    other = placement.other_server
    other_before = other.cpu_seconds() if other else 0.0
    cpu_before, switches_before, began = server.cpu(), server.context_switches(), time.monotonic()
    with server.clock() as clock:
        subject = Subject(
            server,
            plan.connections,
            plan.keep_alive,
            clock,
            placement.server,
            start_up_seconds,
            seconds,
            placement.network.is_private,
            other.process.port if other else 0,
        )
        asked_port = placement.distance.port if placement.distance else server.port
        most_clients = clients.most_at_once(asked_port, placement.clients(), wanted=not plan.keep_alive)
        with Watch(subject) as seen, most_clients as most:
            output, failed = _run(command, plan, seconds, placement.clients())
    took = time.monotonic() - began
    used, switches = server.cpu() - cpu_before, server.context_switches() - switches_before
    generator = processes.own_cpu_seconds(resource.RUSAGE_CHILDREN) - children_before
    own = processes.own_cpu_seconds(resource.RUSAGE_SELF) - own_before
    proxy = placement.distance.cpu_seconds() - proxy_before if placement.distance else 0.0
    other_used = other.cpu_seconds() - other_before if other else None
    known = used.seconds + generator + own + proxy + (other_used or 0.0)
    others = processes.machine_cpu_seconds() - machine_before - known
    use = ServerUse(
        used.user_seconds,
        used.system_seconds,
        seen.resident_bytes,
        max(switches, 0),
        None,
        seen.established,
        clients_at_once=most.at_once,
    )
    return Watched(output, failed, use, generator, max(others, 0.0), took, seen.steady, other_used)


def _run(command: list[str], plan: LoadPlan, seconds: float, network: Network = SHARED) -> tuple[str, str]:
    """Returns what the generator printed, and how it failed, if it did. Standard error is included, because the parsers
    look for errors in it."""

    try:
        with network.at_clients():
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


def _judge(one: Arranged, run: Run, plan: LoadPlan, watched: Watched, lost: int) -> Run:
    scenario, generator, server, placement = one.scenario, one.generator, one.server, one.placement
    load, unread = _read(generator, watched.output, plan)
    run = replace(watched.added_to(run), load=load)
    if watched.failed or load is None:
        # The figures do not count, but they show which errors occurred.
        return replace(run, refused=[words for words in (watched.failed, unread) if words])
    validated = (run.trust and run.trust.validated) or Validated()
    around = validity.Circumstances(
        scenario=scenario,
        server_cores=len(placement.server),
        generator_cores=len(placement.generator),
        head_bytes=validated.head_bytes,
        wire_bytes=validated.wire_bytes,
        sent_bytes=validated.body_bytes if scenario.is_compressed else scenario.body_bytes,
        background=_background_of(scenario),
        background_lost=lost,
        ports=machine.client_ports(),
        time_wait=server.client_ports_waiting(),
        server_ended=server.has_ended(),
        shares_cores=placement.server == placement.generator,
        other_server_cores=len(placement.other) if placement.other != placement.generator else 0,
        asked_seconds=plan.seconds,
        start_up_seconds=generator.start_up_seconds,
    )
    run, doubts = (run, []) if run.traced else _with_window(run, load, watched, around, placement.other_server)
    refused = [*validity.reasons(run, around), *doubts]
    if run.window is None and not run.traced and not refused:
        refused = [windows.NOT_STEADY]
    return replace(run, refused=refused, limited=validity.limit(run, around))


def _with_window(
    run: Run, load: Load, watched: Watched, around: validity.Circumstances, other: OtherServer | None
) -> tuple[Run, list[str]]:
    """The run with its steady part, and why it does not count."""
    steady, each = watched.steady, around.answer_bytes
    window = windows.counted(steady, load, each, around.server_cores, around.shares_cores) if steady else None
    if steady is None:
        return run, []
    if window is None:
        return run, [windows.NO_ANSWERS]
    at_once = run.cell.connections * around.scenario.pipeline
    doubts = windows.reasons(window, steady, load, each, at_once)
    if other:
        window = replace(window, passed_on=other.answers(steady))
        doubts += other_server.reasons(window, steady, run.cell.connections)
    return replace(run, window=window), doubts


def _read(generator: Generator, output: str, plan: LoadPlan) -> tuple[Load | None, str]:
    try:
        return generator.parse(output, plan), ""
    except ValueError as error:
        return None, f"what the generator printed can't be read: {error}"
