"""Counts system calls per request with strace(1), in a run whose times do not count: strace costs two context switches
for each call."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from weir_lab import processes
from weir_lab.result import Run

MISSING = "strace is not installed: apt-get install strace"


@dataclass
class Calls:
    total: int | None = None
    failure: str = ""


@contextmanager
def tracing(pid: int | None) -> Iterator[Calls]:
    """Counts from entering to leaving, in all processes and threads that are alive at the start. Without a pid, counts
    nothing."""
    calls = Calls()
    if pid is None or not shutil.which("strace"):
        calls.failure = MISSING
        yield calls
        return
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as table:
        pids = [argument for one in processes.family(pid) for argument in ("-p", str(one))]
        strace = subprocess.Popen(
            ["strace", "-f", "-c", "-U", "calls,name", "-o", table.name, *pids],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        _wait_until_attached(strace)
        try:
            yield calls
        finally:
            strace.send_signal(signal.SIGINT)
            _, words = strace.communicate()
            calls.total = total(Path(table.name).read_text(encoding="utf-8"))
            calls.failure = "" if calls.total is not None else f"strace counted nothing: {words.strip()[-200:]}"


def _wait_until_attached(strace: subprocess.Popen[str]) -> None:
    """strace reports on standard error that it has attached, a line for each process with its threads."""
    assert strace.stderr
    strace.stderr.readline()


def total(table: str) -> int | None:
    """The total in strace's table; None if it has none."""
    match = re.search(r"^\s*(\d+)\s+total$", table, re.MULTILINE)
    return int(match[1]) if match else None


def with_calls(run: Run, calls: Calls) -> Run:
    """Tracing itself disturbs the machine and breaks Little's law, so that only errors and connections matter to this
    run."""
    bent = ("the machine was disturbed", "Little's law", "the generator was", "requests/s came of")
    refused = [reason for reason in run.refused if not any(words in reason for words in bent)]
    if calls.total is None or run.load is None or run.server is None or run.load.requests == 0:
        return replace(run, refused=[*refused, calls.failure or "nothing was counted"])
    return replace(run, refused=refused, server=replace(run.server, system_calls=calls.total / run.load.requests))
