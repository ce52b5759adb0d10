"""Where a server's time goes: samples of its stacks by perf-record(1), under load.

The clock `cpu-clock` needs no counters of the processor, so it works on virtual machines too. weir has no frame
pointers: perf unwinds its stacks from copies of them (dwarf)."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from weir_lab import processes
from weir_lab.generators.wrk import Wrk
from weir_lab.launching import on_cores
from weir_lab.load import LoadPlan
from weir_lab.placement import Placement
from weir_lab.server_process import DidNotStart, ServerProcess, free_port
from weir_lab.why import folded, target
from weir_lab.why.folded import Stack

SECONDS = 3.0
BEFORE_SECONDS = 1.0  # the load begins before the samples and ends after them
HERTZ = 499
STACK_BYTES = 8192
MISSING = "perf is not installed: apt-get install linux-perf"


@dataclass(frozen=True)
class Recording:
    stacks: Counter[Stack] = field(default_factory=Counter)
    failure: str = ""  # why there are none


def record(engine: str, connections: int, seconds: float = SECONDS) -> Recording:
    """Of one worker that answers 1 KB from memory."""
    if not shutil.which("perf"):
        return Recording(failure=MISSING)
    port, placement = free_port(), Placement.of(1)
    plan = LoadPlan(
        f"http://127.0.0.1:{port}/",
        connections,
        seconds + 2 * BEFORE_SECONDS,
        threads=len(placement.generator),
        cores=placement.generator,
    )
    with tempfile.TemporaryDirectory(prefix="weir-lab-") as scratch:
        try:
            with ServerProcess(target.command(engine, port), port, "/", Path(scratch), placement.server) as server:
                return _record(server.pid, plan, seconds, Path(scratch) / "perf.data")
        except DidNotStart as error:
            return Recording(failure=str(error))


def _record(pid: int, plan: LoadPlan, seconds: float, data: Path) -> Recording:
    pids = ",".join(map(str, processes.family(pid)))
    load = subprocess.Popen(
        on_cores(Wrk().command(plan), plan.cores),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        perf = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(HERTZ), "--call-graph", f"dwarf,{STACK_BYTES}"]
        delayed = ["--delay", str(int(BEFORE_SECONDS * 1000)), "-o", str(data), "-p", pids, "--"]
        done = _run([*perf, *delayed, "sleep", str(seconds + BEFORE_SECONDS)])
    finally:
        load.wait()
    if done.returncode != 0:
        return Recording(failure=f"perf recorded nothing: {(done.stderr or done.stdout).strip()[-200:]}")
    script = _run(["perf", "script", "--no-inline", "-F", "comm,tid,ip,sym", "-i", str(data)])
    stacks = folded.fold(script.stdout)
    return Recording(stacks, "" if stacks else "perf saw the server at no work")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
