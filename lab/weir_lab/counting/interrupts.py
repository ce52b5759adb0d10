"""The time of soft interrupts, in which the kernel receives what the network brings, and the time that the host of a
virtual machine takes (/proc/stat).

The kernel books soft interrupts to the task that they interrupt, or apart (CONFIG_IRQ_TIME_ACCOUNTING). On loopback
they run within the send(2) of the other side, or on the core of who receives."""

from __future__ import annotations

import contextlib
import functools
import gzip
import os
import platform
import re
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir_lab.kernel.processes import TICKS_PER_SECOND

PROBE_SECONDS = 0.2
PROBE_BYTES = 1000


@dataclass(frozen=True)
class Interrupts:
    """Seconds of some cores together."""

    soft: float
    stolen: float  # the host ran something else while this machine wanted to run

    def __sub__(self, before: Interrupts) -> Interrupts:
        return Interrupts(self.soft - before.soft, self.stolen - before.stolen)


def of_cores(cores: Sequence[int]) -> Interrupts:
    soft = stolen = 0
    for line in Path("/proc/stat").read_text(encoding="ascii").splitlines():
        match = re.match(r"cpu(\d+) (.*)", line)
        if match and int(match[1]) in cores:
            _, _, _, _, _, hard, softly, steal, *_ = map(int, match[2].split())
            soft += hard + softly
            stolen += steal
    return Interrupts(soft / TICKS_PER_SECOND, stolen / TICKS_PER_SECOND)


@functools.cache
def are_booked_apart() -> bool:
    """Whether the kernel counts them as nobody's time. Then a server's CPU time lacks them."""
    configured = _configured()
    return measured_apart() if configured is None else configured


def _configured() -> bool | None:
    """None: the kernel does not say how it was built, or may have been told otherwise when it was started."""
    text = ""
    with contextlib.suppress(OSError):
        text = gzip.decompress(Path("/proc/config.gz").read_bytes()).decode()
    with contextlib.suppress(OSError):
        text = text or Path(f"/boot/config-{platform.release()}").read_text(encoding="ascii")
    if not text:
        return None
    # It needs a clock that is fast and true, and tsc=noirqtime switches it off: then only a measurement tells.
    return None if "\nCONFIG_IRQ_TIME_ACCOUNTING=y" in text else False


def measured_apart(seconds: float = PROBE_SECONDS) -> bool:
    """Sends datagrams to itself, which the kernel receives in soft interrupts of the sending thread. The time that is
    missing between the clock of the wall and the thread's own is theirs."""
    allowed = os.sched_getaffinity(0)
    core = max(allowed)
    os.sched_setaffinity(0, {core})  # of this thread
    try:
        before, waited, began, own = of_cores([core]), _waited(), time.monotonic(), time.thread_time()
        _send_to_itself(seconds)
        missing = (time.monotonic() - began) - (time.thread_time() - own) - (_waited() - waited)
        meanwhile = of_cores([core]) - before
    finally:
        os.sched_setaffinity(0, allowed)
    return meanwhile.soft > 0 and missing - meanwhile.stolen > meanwhile.soft / 2


def _send_to_itself(seconds: float) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        one.connect(one.getsockname())
        until, content = time.monotonic() + seconds, bytes(PROBE_BYTES)
        while time.monotonic() < until:
            for _ in range(100):
                one.send(content)
                one.recv(PROBE_BYTES)


def _waited() -> float:
    """Seconds for which this thread could have run, but another had the core."""
    return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
