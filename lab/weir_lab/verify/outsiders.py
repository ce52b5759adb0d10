"""Work that is done by a process which is no child of the server: its CPU would be missing in the server's. The lab
looks at each process of the machine before and after the run, and names those that worked. Those that are connected
with the server do its work."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from weir_lab.core.findings import Worker
from weir_lab.kernel import owners, processes, unix_sockets

SHOWN_MAX = 3


class Used(NamedTuple):
    cpu_seconds: float
    program: str


def cpu_by_process() -> dict[int, Used]:
    """Of all living processes."""
    return {pid: used for pid in owners.all_processes() if (used := _used(pid))}


def workers(before: dict[int, Used], tops: Sequence[int]) -> list[Worker]:
    """Those that used CPU since then, the busiest first: not the server, and neither the lab nor its children."""
    known = {*processes.families(tops), *processes.family(os.getpid())}
    now = {pid: used for pid, used in cpu_by_process().items() if pid not in known}
    spent = {pid: used.cpu_seconds - (before[pid].cpu_seconds if pid in before else 0) for pid, used in now.items()}
    busy = sorted((pid for pid, seconds in spent.items() if seconds > 0), key=lambda pid: -spent[pid])
    links = linked(processes.families(tops), busy)
    shown = [*(pid for pid in busy if pid in links), *(pid for pid in busy if pid not in links)][:SHOWN_MAX]
    return [Worker(pid, owners.name(pid) or now[pid].program, spent[pid], links.get(pid, "")) for pid in shown]


def linked(family: Iterable[int], others: Iterable[int]) -> dict[int, str]:
    """Which of the others are connected with the family, and by what."""
    ours = set().union(*(owners.targets_of_descriptors(pid) for pid in family))
    beyond = {"a unix socket": _beyond_unix_sockets(ours), "a TCP connection": _beyond_tcp(ours)}
    beyond["a pipe"] = {target for target in ours if target.startswith("pipe:")}
    found = {}
    for pid in others:
        theirs = owners.targets_of_descriptors(pid)
        kind = next((kind for kind, targets in beyond.items() if targets & theirs), "")
        if kind:
            found[pid] = kind
    return found


def _beyond_unix_sockets(ours: set[str]) -> set[str]:
    return {f"socket:[{peer}]" for inode, peer in unix_sockets.peers().items() if f"socket:[{inode}]" in ours}


def _beyond_tcp(ours: set[str]) -> set[str]:
    """The other ends of the family's connections on this machine. The generator and the lab are among their owners."""
    ends = {
        (fields[1], fields[2]): f"socket:[{fields[9]}]"
        for fields in processes.tcp()
        if fields[3] == processes.ESTABLISHED
    }
    return {ends[remote, local] for (local, remote), inode in ends.items() if inode in ours and (remote, local) in ends}


def _used(pid: int) -> Used | None:
    """Without its children: those that it has waited for may have worked before the run. None if it has ended."""
    try:
        program, _, numbers = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
    except OSError:
        return None
    return Used(sum(map(int, numbers.split()[11:13])) / processes.TICKS_PER_SECOND, program.partition("(")[2])
