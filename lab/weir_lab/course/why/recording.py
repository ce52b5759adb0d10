"""Where a server's time goes: samples of its stacks by perf-record(1), under load.

The clock `cpu-clock` needs no counters of the processor, so it works on virtual machines too. weir has no frame
pointers: perf unwinds its stacks from copies of them (dwarf)."""

import shutil
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir_lab.core.load import LoadPlan
from weir_lab.course.why import folded
from weir_lab.course.why.folded import Stack
from weir_lab.generators.wrk import Wrk
from weir_lab.kernel import processes
from weir_lab.kernel.launching import on_cores
from weir_lab.servers.placement import Placement
from weir_lab.servers.server_process import DidNotStart, ServerProcess, free_port
from weir_lab.targets.weir import Weir, answering

SECONDS = 3.0
OPEN_SECONDS = 1.0  # at most, for the generator to open its connections
AROUND_SECONDS = 1.0  # for perf to attach; the load must not end before the samples
HERTZ = 499
STACK_BYTES = 8192
PIPES: dict[str, Any] = {
    "stdin": subprocess.DEVNULL,
    "stdout": subprocess.DEVNULL,
    "stderr": subprocess.PIPE,
    "text": True,
}
MISSING = "perf is not installed: apt-get install linux-perf"


@dataclass(frozen=True)
class Recording:
    stacks: Counter[Stack] = field(default_factory=Counter)
    failure: str = ""  # why there are none


def looked_into(engine: str, port: int) -> list[str]:
    """The server: one worker that answers 1 KB from memory."""
    workers = ["--workers", "1"] if Weir(engine).workers(2) == 2 else []
    return answering(engine, port, "--bytes", "1024", *workers, "--quiet")


def record(engine: str, connections: int, seconds: float = SECONDS) -> Recording:
    if not shutil.which("perf"):
        return Recording(failure=MISSING)
    port, placement = free_port(), Placement.of(1)
    plan = LoadPlan(
        f"http://127.0.0.1:{port}/",
        connections,
        seconds + OPEN_SECONDS + AROUND_SECONDS,
        threads=len(placement.generator),
        cores=placement.generator,
    )
    with tempfile.TemporaryDirectory(prefix="weir-lab-") as scratch:
        try:
            with ServerProcess(looked_into(engine, port), port, "/", Path(scratch), placement.server) as server:
                return _record(server, plan, seconds, Path(scratch) / "perf.data")
        except DidNotStart as error:
            return Recording(failure=str(error))


def _record(server: ServerProcess, plan: LoadPlan, seconds: float, data: Path) -> Recording:
    """The load comes before perf, which follows only processes and threads that are there when it begins."""
    load = subprocess.Popen(on_cores(Wrk().command(plan), plan.cores), **PIPES)
    try:
        _wait_until_open(server, plan.connections)
        perf = subprocess.run([*_perf(server.pid, data), "--", "sleep", f"{seconds:g}"], **PIPES, check=False)
        load.communicate()
    finally:
        load.terminate()
        load.wait()
    if perf.returncode != 0:
        return Recording(failure=f"perf recorded nothing: {' '.join(perf.stderr.split())[-200:]}")
    script = subprocess.run(
        ["perf", "script", "--no-inline", "-F", "comm,tid,ip,sym", "-i", str(data)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    stacks = folded.fold(script.stdout)
    return Recording(stacks, "" if stacks else "perf recorded no sample of the server")


def _wait_until_open(server: ServerProcess, connections: int) -> None:
    """Or for a while: some engines serve fewer at a time."""
    until = time.monotonic() + OPEN_SECONDS
    while server.established() < connections and time.monotonic() < until:
        time.sleep(OPEN_SECONDS / 20)


def _perf(pid: int, data: Path) -> list[str]:
    pids = ",".join(str(one) for one in processes.family(pid) if Path(f"/proc/{one}").exists())
    sampling = ["-e", "cpu-clock", "-F", str(HERTZ), "--call-graph", f"dwarf,{STACK_BYTES}"]
    return ["perf", "record", "-q", *sampling, "-o", str(data), "-p", pids]
