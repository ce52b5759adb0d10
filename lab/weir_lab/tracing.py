"""System calls per request, counted by strace(1) in a run whose times are not used: each call costs it two switches."""

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
    """Counts from entering to leaving, in all processes and threads that live then. Without a pid: nothing."""
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
    """It says so on standard error, a line for each process with its threads."""
    assert strace.stderr
    strace.stderr.readline()


def total(table: str) -> int | None:
    """Of strace's table; None where there is none."""
    match = re.search(r"^\s*(\d+)\s+total$", table, re.MULTILINE)
    return int(match[1]) if match else None


def with_calls(run: Run, calls: Calls) -> Run:
    """The machine is disturbed and Little's law bent by the tracing itself: of this run only the errors and the connections matter."""
    bent = ("the machine was disturbed", "Little's law", "the generator was", "requests/s came of")
    refused = [reason for reason in run.refused if not any(words in reason for words in bent)]
    if calls.total is None or run.load is None or run.server is None or run.load.requests == 0:
        return replace(run, refused=[*refused, calls.failure or "nothing was counted"])
    return replace(run, refused=refused, server=replace(run.server, system_calls=calls.total / run.load.requests))
