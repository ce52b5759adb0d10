"""What the kernel counts for a running server: all of its processes and threads together (proc(5))."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from weir_lab.kernel import sockets

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
ESTABLISHED = "01"  # the state of a socket in /proc/net/tcp (linux/tcp.h)
TIME_WAIT = "06"
LISTENING = "0A"
NO_INODE = "0"


def family(pid: int) -> list[int]:
    """A process and all its descendants. It leaves out those that end meanwhile."""
    found = [pid]
    for children in _of_threads(pid, "children"):
        for child in children.split():
            found += family(int(child))
    return found


def families(tops: Iterable[int]) -> list[int]:
    return [pid for top in tops for pid in family(top)]


@dataclass(frozen=True)
class Cpu:
    user_seconds: float
    system_seconds: float

    @property
    def seconds(self) -> float:
        return self.user_seconds + self.system_seconds

    def __sub__(self, before: Cpu) -> Cpu:
        return Cpu(self.user_seconds - before.user_seconds, self.system_seconds - before.system_seconds)


def cpu(pid: int) -> Cpu:
    """Includes children that have ended and were waited for, because a server may fork for each connection."""
    user = system = 0
    for one in family(pid):
        if fields := _stat(one):
            user += int(fields[11]) + int(fields[13])
            system += int(fields[12]) + int(fields[14])
    return Cpu(user / TICKS_PER_SECOND, system / TICKS_PER_SECOND)


def waited_for_seconds(pid: int) -> float:
    """Of its children that have ended, with theirs."""
    fields = _stat(pid)
    return (int(fields[13]) + int(fields[14])) / TICKS_PER_SECOND if fields else 0.0


def parent(pid: int) -> int:
    """0 if it has ended."""
    fields = _stat(pid)
    return int(fields[1]) if fields else 0


def _stat(pid: int) -> list[str]:
    """Without the number and the name of the program, which may have spaces and parentheses in it."""
    return _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()


def machine_cpu_seconds() -> float:
    """CPU time of all cores since the machine was started."""
    user, nice, system, _, _, interrupts, soft_interrupts, *_ = map(
        int, _read(Path("/proc/stat")).split("\n")[0].split()[1:]
    )
    return (user + nice + system + interrupts + soft_interrupts) / TICKS_PER_SECOND


def own_cpu_seconds(who: int) -> float:
    """Of the lab (resource.RUSAGE_SELF), or of its children that have ended (RUSAGE_CHILDREN)."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def resident_bytes(pid: int) -> int:
    """The proportional set size (Pss): memory that several processes share counts once."""
    found = 0
    for one in family(pid):
        if match := re.search(r"^Pss:\s+(\d+) kB$", _read(Path(f"/proc/{one}/smaps_rollup")), re.MULTILINE):
            found += int(match[1]) * 1024
    return found


def context_switches(pid: int) -> int:
    """Of living threads only: the kernel forgets those of a thread that has ended."""
    return sum(
        int(count)
        for one in family(pid)
        for status in _of_threads(one, "status")
        for count in re.findall(r"ctxt_switches:\s+(\d+)$", status, re.MULTILINE)
    )


def established(port: int) -> int:
    """Connections that a server at that port has accepted. Those in its backlog have no inode yet."""
    try:
        return len(sockets.accepted(port))
    except OSError:  # this kernel has no sock_diag(7)
        return _established_in_proc(port)


def _established_in_proc(port: int) -> int:
    """The kernel gives the list in pieces, and may repeat some while others come and go."""
    local = f":{port:04X}"
    return len(
        {
            (fields[1], fields[2])
            for fields in tcp()
            if fields[1].endswith(local) and fields[3] == ESTABLISHED and fields[9] != NO_INODE
        }
    )


def ports_waiting(among: range) -> int:
    """How many of these ports are in TIME_WAIT: the side that closes first keeps the port for a minute."""
    waiting = {int(fields[1].rpartition(":")[2], 16) for fields in tcp() if fields[3] == TIME_WAIT}
    return len(waiting.intersection(among))


def client_ports_waiting(port: int) -> int:
    """Ports that clients of a server cannot use for a minute because they closed first. If the server closed first, the
    server is in TIME_WAIT, and the client's port is free (RFC 9293, 3.6.1; Linux accepts its next connection)."""
    remote = f":{port:04X}"
    return sum(fields[2].endswith(remote) and fields[3] == TIME_WAIT for fields in tcp())


def tcp(of: str = "thread-self") -> Iterator[list[str]]:
    """The fields of each TCP socket in the network namespace of that process; of the calling thread unless given."""
    for name in ("tcp", "tcp6"):
        for line in _read(Path("/proc", of, "net", name)).splitlines()[1:]:
            yield line.split()


def _of_threads(pid: int, name: str) -> list[str]:
    """That file of each thread; empty if the process has ended."""
    try:
        return [_read(thread / name) for thread in Path(f"/proc/{pid}/task").iterdir()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def _read(path: Path) -> str:
    """Empty if the process has ended."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
