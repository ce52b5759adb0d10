"""What a request takes besides time: system calls, instructions, context switches. Counting bends times, so it has runs
of its own, whose times do not count. perf(1) counts all of it where the kernel lets it count system calls; elsewhere
strace(1) counts them, which costs two context switches for each call."""

import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from weir_lab.core.result import Run
from weir_lab.counting import counters
from weir_lab.counting.counters import Counts
from weir_lab.kernel import processes

MISSING = "neither perf nor strace can count system calls here: apt-get install strace"
STRACE = "calls"  # what strace's total is called among the counts

Way = Callable[[int], AbstractContextManager[Counts]]  # counts what the process with that pid and its family do


def ways() -> list[Way]:
    """How to count here. Each way wants a run of its own."""
    events = counters.countable()
    by_perf: Way = partial(_with_perf, events)
    if counters.CALLS in events:
        return [by_perf]
    return [_with_strace, by_perf] if set(events) & set(counters.PROCESSOR) else [_with_strace]


@contextmanager
def _with_perf(events: tuple[str, ...], pid: int) -> Iterator[Counts]:
    with counters.counting(processes.family(pid), events) as counts:
        yield counts


@contextmanager
def _with_strace(pid: int) -> Iterator[Counts]:
    """Counts from entering to leaving, in all processes and threads that are alive at the start."""
    counts = Counts()
    if not shutil.which("strace"):
        counts.failure = MISSING
        yield counts
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
            yield counts
        finally:
            strace.send_signal(signal.SIGINT)
            _, words = strace.communicate()
            calls = total(Path(table.name).read_text(encoding="utf-8"))
            counts.of = {} if calls is None else {STRACE: calls}
            counts.failure = "" if calls is not None else f"strace counted nothing: {words.strip()[-200:]}"


def _wait_until_attached(strace: subprocess.Popen[str]) -> None:
    """strace reports on standard error that it has attached, a line for each process with its threads."""
    assert strace.stderr
    strace.stderr.readline()


def total(table: str) -> int | None:
    """The total in strace's table; None if it has none."""
    match = re.search(r"^\s*(\d+)\s+total$", table, re.MULTILINE)
    return int(match[1]) if match else None


def with_counts(run: Run, counts: Counts) -> Run:
    """Counting itself disturbs the machine and breaks Little's law, so that only errors and connections matter to this
    run."""
    bent = ("the machine was disturbed", "Little's law", "the generator was", "requests/s came of")
    refused = [reason for reason in run.refused if not any(words in reason for words in bent)]
    if not counts.of or run.load is None or run.server is None or run.load.requests == 0:
        return replace(run, refused=[*refused, counts.failure or "nothing was counted"])
    each = {event: count / run.load.requests for event, count in counts.of.items()}
    calls = each.pop(STRACE, None) or each.pop(counters.CALLS, None)
    return replace(run, refused=refused, server=replace(run.server, system_calls=calls, counters=each))


def together(runs: list[Run]) -> Run:
    """The runs of all ways as one."""
    first, *others = runs
    for one in others:
        if first.server and one.server:
            first = replace(first, server=replace(first.server, counters=first.server.counters | one.server.counters))
        first = replace(first, refused=list(dict.fromkeys([*first.refused, *one.refused])))
    return first
