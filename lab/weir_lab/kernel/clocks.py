"""The CPU time of a server, to the nanosecond where the kernel keeps it. /proc/PID/stat has hundredths of a second.

The kernel brings the time of a thread up to date when it switches, and at each tick of its timer. So a clock that is
read while the server runs may be a tick late (a millisecond to ten)."""

import contextlib
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from weir_lab.kernel import cgroups, processes

IS_PROCESS, SCHEDULER = 0x0, 0x2  # clock_getcpuclockid(3): what the kernel knows the clock of a process by


@dataclass(frozen=True)
class Clock:
    name: str
    seconds: Callable[[], float]


def of_family(pid: int) -> float:
    """By the clock of each process. The time of a child that has ended counts when its parent has waited for it, in
    hundredths of a second. It takes a while where there are many threads: each may have children."""
    family = processes.family(pid)
    return sum(map(of_process, family)) + sum(map(processes.waited_for_seconds, family))


@contextlib.contextmanager
def of_server(pid: int) -> Iterator[Clock]:
    """A server that has or had children is put into a group, where that is allowed: children come and go, and some are
    never waited for."""
    if not has_children(pid):
        yield Clock("process", partial(of_process, pid))
        return
    with cgroups.group() as group:
        is_in_group = group is not None and group.take(processes.family(pid))
        # A group counts whatever the server starts, even if nobody waits for it.
        yield Clock("cgroup", group.seconds) if group and is_in_group else Clock("processes", partial(of_family, pid))


def of_process(pid: int) -> float:
    """By its clock, which counts its threads, those that have ended too. Zero if it has ended."""
    try:
        return time.clock_gettime_ns(~pid << 3 | IS_PROCESS | SCHEDULER) / 1e9
    except OSError:
        return 0.0


def has_children(pid: int) -> bool:
    """Now, or earlier. A server that ignores SIGCHLD never waits: its children leave no trace in it."""
    return len(processes.family(pid)) > 1 or processes.waited_for_seconds(pid) > 0 or _ignores_children(pid)


def _ignores_children(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    match = re.search(r"^SigIgn:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return bool(match and int(match[1], 16) >> (signal.SIGCHLD - 1) & 1)
