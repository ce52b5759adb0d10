"""The processor's counters and the kernel's, by perf-stat(1): instructions, cycles, cache misses, system calls, context
switches. Many virtual machines show no counters of the processor; those of the kernel are there nearly always.

Counting costs a system call nothing to speak of (strace costs two context switches), but each context switch a little,
so it has runs of its own."""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PROCESSOR = ("instructions", "cycles", "cache-misses")
KERNEL = ("context-switches", "cpu-migrations", "page-faults")
CALLS = "raw_syscalls:sys_enter"
MISSING = "perf is not installed: apt-get install linux-perf"
ANSWER_BYTES = 64  # of perf, when it has obeyed


@dataclass
class Counts:
    """By event, of all that the server did in between. Empty if perf counted nothing; then `failure` says why."""

    of: dict[str, float] = field(default_factory=dict)
    failure: str = ""


@functools.cache
def countable() -> tuple[str, ...]:
    """The events that can be counted here, in the kernel too."""
    if not shutil.which("perf"):
        return ()
    # If one event is not allowed, perf counts none; tracepoints are kept from most users.
    for events in ((*PROCESSOR, *KERNEL, CALLS), (*PROCESSOR, *KERNEL), KERNEL):
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as table:
            asked = subprocess.run(
                ["perf", "stat", "-x,", "-o", table.name, "-e", ",".join(events), "true"],
                capture_output=True,
                check=False,
            )
            if asked.returncode == 0:
                return tuple(parse(Path(table.name).read_text(encoding="utf-8")))
    return ()


@contextlib.contextmanager
def counting(pids: Sequence[int], events: Sequence[str]) -> Iterator[Counts]:
    """Counts from entering to leaving, in these processes and in all threads and processes that they start."""
    found = Counts()
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as table:
        perf = _Perf(pids, events, table.name)
        is_counting = perf.tell("enable")
        try:
            yield found
        finally:
            if is_counting:
                perf.tell("disable")
            said = perf.end()
            found.of = parse(Path(table.name).read_text(encoding="utf-8"))
            found.failure = "" if found.of else f"perf counted nothing: {said.strip()[-200:]}"


def parse(table: str) -> dict[str, float]:
    """The numbers of `perf stat -x,`: number, unit, event, time, part of the time, and more. An event that the machine
    does not count has words in place of its number. One that was counted outside of the kernel alone (:u) is left out:
    most of a server's work is the kernel's."""
    found = {}
    for line in table.splitlines():
        number, *fields = line.split(",")
        if len(fields) >= 2 and _is_number(number) and not fields[1].endswith(":u"):
            found[fields[1]] = float(number)
    return found


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


class _Perf:
    """perf, attached to processes, and the two pipes through which it takes orders and says that it has obeyed."""

    def __init__(self, pids: Sequence[int], events: Sequence[str], table: str) -> None:
        orders, self._orders = os.pipe()
        self._obeyed, obeyed = os.pipe()
        control = ["--delay", "-1", "--control", f"fd:{orders},{obeyed}"]
        self._process = subprocess.Popen(
            ["perf", "stat", "-x,", "-o", table, "-e", ",".join(events), *control, "-p", ",".join(map(str, pids))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            pass_fds=(orders, obeyed),
        )
        # Only perf has these ends from now on: if it ends, nobody waits for its answer.
        os.close(orders)
        os.close(obeyed)

    def tell(self, order: str) -> bool:
        """Waits until perf has obeyed. False if it has ended."""
        try:
            os.write(self._orders, f"{order}\n".encode())
            return os.read(self._obeyed, ANSWER_BYTES) != b""
        except BrokenPipeError:
            return False

    def end(self) -> str:
        """Returns what it said."""
        self._process.send_signal(signal.SIGINT)
        said, _ = self._process.communicate()
        os.close(self._orders)
        os.close(self._obeyed)
        return said
