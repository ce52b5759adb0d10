"""Measures a row of a seed: our server, the seed's command line with another port, and the usual judgement."""

import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from weir_lab.core import built
from weir_lab.core.load import LoadPlan
from weir_lab.core.result import Cell, Run, now
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.generators import GENERATORS
from weir_lab.generators import rps as rps_program
from weir_lab.generators.program import path_of
from weir_lab.replay import outputs
from weir_lab.replay.seed import Row
from weir_lab.running import machine
from weir_lab.running.measurement import watch
from weir_lab.servers.server_process import DidNotStart, ServerProcess, free_port
from weir_lab.targets import UnknownTarget
from weir_lab.targets import find as find_target
from weir_lab.targets.weir import answering
from weir_lab.verify import validity

DEMONSTRATION = built.REPOSITORY / "www"
FIRST_PAGE = "/index.html"
ROUNDED = 0.005  # wrk prints three digits: 2.21MB
SETTLED_SECONDS = 1.5  # after which the lab looks at a run that has no fixed length


def cell_of(row: Row) -> Cell:
    return Cell(row.scenario, row.connections, row.tool, row.target, row.workers)


def scenario_of(row: Row) -> Scenario:
    """What the judgement needs to know about the work."""
    size = row.body_bytes if row.body_bytes is not None else (DEMONSTRATION / FIRST_PAGE[1:]).stat().st_size
    return Scenario(row.scenario, row.scenario, body_bytes=size, keep_alive=row.keep_alive)


def play(row: Row, quick: bool) -> Run:
    return played(
        cell_of(row),
        _missing(row),
        lambda port, scratch: server_command(row, port, scratch),
        lambda server, run: _load(row, quick, server, run),
        "/" if row.server else FIRST_PAGE,
        row.keep_alive,
    )


def played(
    cell: Cell,
    missing: str | None,
    command: Callable[[int, Path], list[str]],
    load: Callable[[ServerProcess, Run], Run],
    path: str,
    keep_alive: bool = True,
) -> Run:
    """`command`: of the server, by its port and an empty folder. Never raises because of a server or a generator."""
    run = Run(cell, 0, now(), None, None)
    if missing:
        return replace(run, refused=[missing])
    with tempfile.TemporaryDirectory(prefix="weir-lab-") as folder:
        port, scratch = free_port(), Path(folder)
        try:
            with ServerProcess(command(port, scratch), port, path, scratch, keep_alive=keep_alive) as server:
                return load(server, replace(run, server_command=server.command, response_head=server.response_head))
        except (CannotServe, DidNotStart) as error:
            return replace(run, refused=[str(error)])


def server_command(row: Row, port: int, scratch: Path) -> list[str]:
    """`weir target` for a seed that measured a handler; a file server for the seed that measured a site."""
    if _is_two_sends(row):
        return [sys.executable, "-m", "weir_lab.replay.two_sends", str(port), row.target.partition("/")[2]]
    target = find_target(row.target)
    if not row.server:
        return target.command(
            scenario_of(row), ServerSetup(port, DEMONSTRATION, scratch, row.workers, (), row.connections)
        )
    workers = ["--workers", str(row.workers)] if target.workers(row.workers) == row.workers > 1 else []
    return [*answering(row.target.removeprefix("weir/"), port, *workers, *row.server), "--quiet"]


def generator_command(row: Row, quick: bool, port: int) -> list[str]:
    """The seed's command, with our address in place of its own."""
    program = path_of("rps", rps_program.PROGRAM) if row.tool == "rps" else path_of(row.tool)
    path = "/" if row.server else FIRST_PAGE
    return [program, *(row.quick if quick else row.arguments), f"http://127.0.0.1:{port}{path}"]


def _is_two_sends(row: Row) -> bool:
    return row.target.startswith("two-sends/")


def _missing(row: Row) -> str | None:
    if _is_two_sends(row):
        return GENERATORS[row.tool].missing()
    try:
        return find_target(row.target).missing() or GENERATORS[row.tool].missing()
    except UnknownTarget as error:
        return str(error)


def _load(row: Row, quick: bool, server: ServerProcess, run: Run) -> Run:
    arguments = row.quick if quick else row.arguments
    seconds = _seconds(arguments)
    plan = LoadPlan("", row.connections, seconds, keep_alive=row.keep_alive, body_bytes=server.body_bytes)
    command = generator_command(row, quick, server.port)
    watched = watch(server, command, plan, seconds or SETTLED_SECONDS)
    run = replace(watched.added_to(run), generator_command=command)
    try:
        run = replace(run, load=outputs.parse(row.tool, watched.output, plan))
    except ValueError as error:
        unread = f"what {row.tool} printed can't be read: {error}"
        return replace(run, refused=[words for words in (watched.failed, unread) if words])
    if watched.failed:
        return replace(run, refused=[watched.failed])
    run = _without_early_look(run, seconds)
    around = _circumstances(row, server)
    return replace(run, refused=validity.reasons(to_be_judged(run), around), limited=validity.limit(run, around))


def to_be_judged(run: Run) -> Run:
    """wrk "corrects" its mean by requests that it invents, and the seed's command line gives no way to take them out.
    So the page shows the mean, which is as the seed's, but the judgement does not use it."""
    if run.cell.generator != "wrk" or run.load is None:
        return run
    return replace(run, load=replace(run.load, latency=replace(run.load.latency, mean=None)))


def _without_early_look(run: Run, seconds: float | None) -> Run:
    """A run that ends with its last request may be over before the lab counts its connections."""
    if seconds is not None or run.server is None or run.load is None or run.load.seconds > SETTLED_SECONDS:
        return run
    return replace(run, server=replace(run.server, established=None))


def _circumstances(row: Row, server: ServerProcess) -> validity.Circumstances:
    """Client and server share all cores, as they did in the seeds."""
    cores = len(os.sched_getaffinity(0))
    return validity.Circumstances(
        scenario=scenario_of(row),
        server_cores=cores,
        generator_cores=cores,
        head_bytes=len(server.response_head.encode()) + server.response_head.count("\n") + 2,
        ports=machine.client_ports(),
        time_wait=server.client_ports_waiting(),
        server_ended=server.has_ended(),
        shares_cores=True,
        bytes_tolerance=ROUNDED if row.tool == "wrk" else validity.BYTES_TOLERANCE,
    )


def _seconds(arguments: tuple[str, ...]) -> float | None:
    """The argument of -d of wrk. None for a row that has a number of requests."""
    return next((float(one[2:].removesuffix("s")) for one in arguments if one.startswith("-d")), None)
