"""Ten thousand users of Locust, as in seed 1: users, rate and response time over time."""

from __future__ import annotations

import csv
import os
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from weir_lab.core import built
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.core.result import Cell, Run
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import ServerSetup
from weir_lab.replay.player import DEMONSTRATION, FIRST_PAGE, played
from weir_lab.running import machine
from weir_lab.running.measurement import watch
from weir_lab.servers.server_process import ServerProcess
from weir_lab.targets import find as find_target
from weir_lab.verify import validity

LOCUSTFILE = built.REPOSITORY / "lab" / "locust" / "ten_thousand.py"
EVERY_SECONDS = 10.0  # as in the locustfile, which only Locust may import: gevent changes the modules of the importer
LEAVING_SECONDS = 3.0
PROGRAM = (sys.executable, "-m", "locust")
SCENARIO = "users of Locust, a page every ten seconds each"


@dataclass(frozen=True)
class UserLoad:
    users: int
    a_second: int  # how many start
    seconds: float

    @staticmethod
    def of(quick: bool) -> UserLoad:
        return UserLoad(1000, 250, 30) if quick else UserLoad(10_000, 250, 120)


@dataclass(frozen=True)
class Sample:
    """A line of Locust's history."""

    second: float
    users: int
    rate: float
    median_seconds: float | None
    p99_seconds: float | None
    requests: int  # since the beginning
    failures: int


def play(target: str, wanted: UserLoad, workers: int = 1) -> tuple[Run, list[Sample]]:
    found, samples = find_target(target), list[Sample]()

    def serve(port: int, scratch: Path) -> list[str]:
        return found.command(_scenario(), ServerSetup(port, DEMONSTRATION, scratch, workers, (), wanted.users))

    def load(server: ServerProcess, run: Run) -> Run:
        return _load(wanted, server, run, samples)

    cell = Cell(SCENARIO, wanted.users, "locust", target, workers)
    return played(cell, found.missing(), serve, load, FIRST_PAGE), samples


def command(wanted: UserLoad, port: int, prefix: Path) -> list[str]:
    users, a_second = str(wanted.users), str(wanted.a_second)
    counts = ["--users", users, "--spawn-rate", a_second, "--run-time", f"{wanted.seconds:.0f}s"]
    written = ["--csv", str(prefix), "--csv-full-history", "--only-summary", "--loglevel", "WARNING"]
    asked = ["--host", f"http://127.0.0.1:{port}"]
    return [*PROGRAM, "-f", str(LOCUSTFILE), "--headless", *counts, *written, *asked]


def _scenario() -> Scenario:
    return Scenario(SCENARIO, SCENARIO, body_bytes=(DEMONSTRATION / FIRST_PAGE[1:]).stat().st_size)


def _load(wanted: UserLoad, server: ServerProcess, run: Run, samples: list[Sample]) -> Run:
    """Adds Locust's history to the samples."""
    with tempfile.TemporaryDirectory(prefix="weir-lab-") as folder:
        prefix = Path(folder) / "locust"
        said = command(wanted, server.port, prefix)
        watched = watch(server, said, LoadPlan("", wanted.users, wanted.seconds), wanted.seconds)
        samples += history(Path(f"{prefix}_stats_history.csv"))
    run = replace(watched.added_to(run), generator_command=said, asked_rate=wanted.users / EVERY_SECONDS)
    load = steady(samples, wanted.users)
    if load is None:
        return replace(run, refused=[watched.failed or f"Locust did not get to {wanted.users:,} users"])
    # The CPU time is of the whole run, the load of its steady part: CPU per request would be wrong.
    run = replace(
        run, load=load, server=replace(watched.use, user_seconds=0.0, system_seconds=0.0), generator_cpu_seconds=None
    )
    cores = len(os.sched_getaffinity(0))
    around = validity.Circumstances(
        _scenario(),
        cores,
        cores,
        0,
        ports=machine.client_ports(),
        time_wait=server.client_ports_waiting(),
        server_ended=server.has_ended(),
    )
    others = (watched.other_cpu_seconds or 0.0) * load.seconds / wanted.seconds
    return replace(run, refused=validity.reasons(replace(run, other_cpu_seconds=others), around))


def history(path: Path) -> list[Sample]:
    """The lines for all requests together. Locust writes N/A before the first request."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["Name"] == "Aggregated"]

    def seconds(words: str) -> float | None:
        return None if words == "N/A" else float(words) / 1e3

    begin = float(rows[0]["Timestamp"]) if rows else 0.0
    return [
        Sample(
            float(row["Timestamp"]) - begin,
            int(row["User Count"]),
            float(row["Requests/s"]),
            seconds(row["50%"]),
            seconds(row["99%"]),
            int(row["Total Request Count"]),
            int(row["Total Failure Count"]),
        )
        for row in rows
    ]


def steady(samples: list[Sample], users: int) -> Load | None:
    """The load while all users are there. It begins when each has had the time to ask once, and lasts a whole number of
    such times: the users ask in the rhythm in which they started, so that a part of that time has more requests or
    fewer. It leaves out the last lines, in which stopping users still count but no longer ask."""
    all_there = [one for one in samples if one.users >= users and one.second <= samples[-1].second - LEAVING_SECONDS]
    settled = [one for one in all_there if one.second >= all_there[0].second + EVERY_SECONDS]
    whole = [
        one
        for one in settled
        if one.second > settled[0].second and (one.second - settled[0].second) % EVERY_SECONDS == 0
    ]
    if not whole:
        return None
    first, last = settled[0], whole[-1]
    failures = last.failures  # of the whole run: a connection that failed at the start is missing later
    requests = last.requests - first.requests - (last.failures - first.failures)
    return Load(
        max(requests, 0),
        last.second - first.second,
        latency=Latency(p50=last.median_seconds, p99=last.p99_seconds),
        errors={"status": failures} if failures else {},
    )
