"""What a crowd takes of a machine: how many processes on either side, and whether there is room for them."""

from __future__ import annotations

import math
import os
import platform
import re
import resource
from dataclasses import dataclass
from pathlib import Path

from weir_lab import machine
from weir_lab.crowd_members import OPENING_MAX
from weir_lab.result import Check

SEVERAL_PROCESSES = "prefork"  # the engine of which each worker has descriptors of its own
SPREAD = 6.0  # standard deviations: the kernel deals connections to listeners by a hash, so that some worker has more than its share
DESCRIPTORS_BESIDES = 500  # of a client's
# Of a client address's ports Linux gives every second one at once; past those it looks through all of them, for each connection.
PORTS_PART = 0.48
PROBES = 200  # new connections, one after the other, while the crowd is there
BYTES_EACH = 16 * 1024  # of a connection at the most, both ends: the kernel's, the server's and the client's in Python
PAGES_EACH = 2  # of tcp_mem: a page for each socket at work, and both ends are here


class CannotHold(Exception):
    """The machine, or the engine, has no room for so many; the words say how to fix that."""


@dataclass(frozen=True)
class Plan:
    connections: int
    engine: str
    workers: int
    clients: int  # processes, each with an address of its own
    at_once: int  # requests under way, over all clients

    def share(self, client: int, connections: int) -> int:
        return connections // self.clients + (client < connections % self.clients)


def plan(connections: int, engine: str, workers: int | None, at_once: int) -> Plan:
    """Raises CannotHold."""
    descriptors = descriptors_max()
    each = min(descriptors - DESCRIPTORS_BESIDES, int(machine.client_ports() * PORTS_PART))
    if each < 1:
        raise CannotHold(
            f"a client has {descriptors:,} descriptors and {machine.client_ports():,} ports here: "
            "as root: ulimit -Hn 20000; sysctl -w net.ipv4.ip_local_port_range='32768 60999'"
        )
    return Plan(
        connections, engine, _workers(connections, engine, workers, descriptors), math.ceil(connections / each), at_once
    )


def checks(plan: Plan) -> list[Check]:
    """Each problem comes with its fix."""
    return [
        check for check in (_files(plan), _memory(plan), _backlog(plan), _tcp_memory(plan), _conntrack(plan)) if check
    ]


def descriptors_max() -> int:
    """That a process may have."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def kernel_bytes() -> int:
    """What sockets take of it: structures (Slab of proc_meminfo(5): sockets, inodes, files, entries of epoll) and buffers (/proc/net/sockstat)."""
    structures = re.search(r"^Slab:\s+(\d+) kB$", _read("/proc/meminfo"), re.MULTILINE)
    buffers = re.search(r"^TCP: .* mem (\d+)$", _read("/proc/net/sockstat"), re.MULTILINE)
    assert structures and buffers
    return int(structures[1]) * 1024 - _proc_bytes() + int(buffers[1]) * os.sysconf("SC_PAGE_SIZE")


def _proc_bytes() -> int:
    """Whoever lists /proc/PID/fd, as monitors do, leaves an inode and a directory entry in the cache for each descriptor: as much as a
    tenth of what a connection takes, and none of its own. Told apart where slabinfo(5) may be read, as by root."""
    caches = {line.split()[0]: line.split() for line in _read("/proc/slabinfo").splitlines()[2:]}
    inodes, entries = caches.get("proc_inode_cache"), caches.get("dentry")
    if inodes is None or entries is None:
        return 0
    return int(inodes[14]) * int(inodes[5]) * os.sysconf("SC_PAGE_SIZE") + int(inodes[1]) * int(entries[3])


# --- processes of the server ---


def _workers(connections: int, engine: str, workers: int | None, descriptors: int) -> int:
    """As many as asked for, or as it takes, and not less than there are cores."""
    room = _room(descriptors)
    if engine != SEVERAL_PROCESSES and connections + PROBES > room:
        raise CannotHold(
            f"{engine} is one process, and {descriptors:,} descriptors are enough for {room - PROBES:,} connections; "
            f"{SEVERAL_PROCESSES} has several processes, or as root: ulimit -Hn {_descriptors_for(connections + PROBES)}"
        )
    fewest = _fewest(connections, room) if engine == SEVERAL_PROCESSES else 1
    if workers is not None and workers < fewest:
        raise CannotHold(
            f"{connections:,} connections take {fewest} workers, of {descriptors:,} descriptors each; {workers} are asked for"
        )
    return workers or max(fewest, len(os.sched_getaffinity(0)))


def _room(descriptors: int) -> int:
    """For connections, as weir reckons: src/engines/gate.cpp."""
    return descriptors - (32 + descriptors // 16)


def _descriptors_for(connections: int) -> int:
    return math.ceil((connections + 33) * 16 / 15)


def _fewest(connections: int, room: int) -> int:
    if room <= PROBES + SPREAD * SPREAD:
        raise CannotHold(f"{room:,} connections a worker are too few to share out; as root: ulimit -Hn 20000")
    workers = 1
    while _most_of_one(connections, workers) + PROBES > room:
        workers += 1
    return workers


def _most_of_one(connections: int, listeners: int) -> float:
    mean = connections / listeners
    return mean + SPREAD * math.sqrt(mean * (1 - 1 / listeners))


# --- room ---


def _files(plan: Plan) -> Check | None:
    allocated, _, most = map(int, _read("/proc/sys/fs/file-nr").split())
    wanted = 2 * plan.connections + 1000
    return Check(
        "files",
        f"{most - allocated:,} more may be open on this machine, {wanted:,} wanted",
        most - allocated >= wanted,
        f"sysctl -w fs.file-max={allocated + wanted}",
    )


def _memory(plan: Plan) -> Check | None:
    available = re.search(r"^MemAvailable:\s+(\d+) kB$", _read("/proc/meminfo"), re.MULTILINE)
    if available is None:
        return None
    found, wanted = int(available[1]) * 1024, plan.connections * BYTES_EACH
    return Check(
        "memory",
        f"{found >> 20:,} MB are free, {wanted >> 20:,} wanted",
        found >= wanted,
        "use fewer --connections, or stop other programs",
    )


def _backlog(plan: Plan) -> Check | None:
    """Each worker has a listener of its own; other engines may have one alone."""
    allowed, listeners = (
        _number("/proc/sys/net/core/somaxconn"),
        plan.workers if plan.engine == SEVERAL_PROCESSES else 1,
    )
    if allowed is None:
        return None
    wanted = math.ceil(_most_of_one(plan.clients * OPENING_MAX, listeners))
    return Check(
        "backlog",
        f"{allowed:,} connections may wait to be accepted, {wanted:,} may come at once",
        allowed >= wanted,
        f"sysctl -w net.core.somaxconn={wanted}",
    )


def _tcp_memory(plan: Plan) -> Check | None:
    """Above the second of the three the kernel saves, above the third it refuses (tcp(7)). Before 6.0 a socket kept its page when the work
    was done."""
    limits = _read("/proc/sys/net/ipv4/tcp_mem").split()
    if not limits:
        return None
    keeps = int(platform.release().partition(".")[0]) < 6
    pages, wanted = int(limits[1]), (plan.connections if keeps else plan.at_once) * PAGES_EACH
    return Check(
        "TCP memory",
        f"{pages:,} pages before the kernel saves, {wanted:,} wanted",
        pages >= wanted,
        f"sysctl -w net.ipv4.tcp_mem='{wanted} {wanted} {2 * wanted}'",
    )


def _conntrack(plan: Plan) -> Check | None:
    """A firewall that knows connections drops those that it has no room for. Where it knows none it is not at work here."""
    most, known = (
        _number("/proc/sys/net/netfilter/nf_conntrack_max"),
        _number("/proc/sys/net/netfilter/nf_conntrack_count"),
    )
    if not most or not known:
        return None
    return Check(
        "conntrack",
        f"{most - known:,} more connections may be known to the firewall",
        most - known >= plan.connections,
        f"sysctl -w net.netfilter.nf_conntrack_max={known + plan.connections + 1000}",
    )


def _number(path: str) -> int | None:
    text = _read(path)
    return int(text) if text else None


def _read(path: str) -> str:
    """Empty where there is no such file: a network namespace has only some of them."""
    try:
        return Path(path).read_text(encoding="ascii")
    except OSError:
        return ""
