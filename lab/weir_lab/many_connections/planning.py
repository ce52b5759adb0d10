"""Plans the processes of the server and of the clients, and checks that the machine has room for the connections."""

import math
import os
import platform
import re
import resource
from dataclasses import dataclass

from weir_lab.core.result import Check
from weir_lab.many_connections.connections import OPENING_MAX
from weir_lab.running import machine
from weir_lab.running.machine import read

SEVERAL_PROCESSES = "prefork"  # its workers are processes, and each has its own descriptors
# Standard deviations: the kernel spreads connections over listeners by a hash, and some worker gets more than its
# share.
SPREAD = 6.0
DESCRIPTORS_BESIDES = 500  # of a client, for everything but its connections
# Linux finds every second port of a client address at once. For the others it searches all ports, for each connection.
PORTS_PART = 0.48
PROBES = 200  # new connections, one after the other, beside the open ones
BYTES_EACH = 16 * 1024  # of memory, an upper bound: kernel, server and client (in Python)
PAGES_EACH = 2  # of tcp_mem: one for each active socket, and both ends are on this machine


class CannotHold(Exception):
    """The machine or the engine has no room for so many connections. The message says how to fix that."""


@dataclass(frozen=True)
class Plan:
    connections: int
    engine: str
    workers: int
    clients: int  # processes, each with its own address
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
    """The number of descriptors that a process may have."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def kernel_bytes() -> int:
    """The kernel's memory for sockets: structures (Slab in proc_meminfo(5): sockets, inodes, files, epoll entries) and
    buffers (/proc/net/sockstat)."""
    structures = re.search(r"^Slab:\s+(\d+) kB$", read("/proc/meminfo"), re.MULTILINE)
    buffers = re.search(r"^TCP: .* mem (\d+)$", read("/proc/net/sockstat"), re.MULTILINE)
    assert structures and buffers
    return int(structures[1]) * 1024 - _proc_bytes() + int(buffers[1]) * os.sysconf("SC_PAGE_SIZE")


def _proc_bytes() -> int:
    """Memory of the kernel's cache for /proc. A monitor that lists /proc/PID/fd leaves an inode and a directory entry
    there for each descriptor, about a tenth of what a connection takes. Only root may read slabinfo(5), so for others
    this is 0."""
    caches = {line.split()[0]: line.split() for line in read("/proc/slabinfo").splitlines()[2:]}
    inodes, entries = caches.get("proc_inode_cache"), caches.get("dentry")
    if inodes is None or entries is None:
        return 0
    return int(inodes[14]) * int(inodes[5]) * os.sysconf("SC_PAGE_SIZE") + int(inodes[1]) * int(entries[3])


# --- processes of the server ---


def _workers(connections: int, engine: str, workers: int | None, descriptors: int) -> int:
    """The number asked for. Without one: as many as the connections need, and at least one for each core."""
    most = room(descriptors)
    if engine != SEVERAL_PROCESSES and connections + PROBES > most:
        raise CannotHold(
            f"{engine} is one process, and {descriptors:,} descriptors are enough for {most - PROBES:,} connections; "
            f"{SEVERAL_PROCESSES} has several processes, or as root: ulimit -Hn "
            f"{_descriptors_for(connections + PROBES)}"
        )
    fewest = _fewest(connections, most) if engine == SEVERAL_PROCESSES else 1
    if workers is not None and workers < fewest:
        raise CannotHold(
            f"{connections:,} connections need {fewest} workers with {descriptors:,} descriptors each, but {workers} "
            "were asked for"
        )
    return workers or max(fewest, len(os.sched_getaffinity(0)))


def room(descriptors: int) -> int:
    """Descriptors left for connections, by the rule of weir's ConnectionLimit (src/engines)."""
    return descriptors - (32 + descriptors // 16)


def _descriptors_for(connections: int) -> int:
    return math.ceil((connections + 33) * 16 / 15)


def _fewest(connections: int, room: int) -> int:
    if room <= PROBES + SPREAD * SPREAD:
        raise CannotHold(f"{room:,} connections a worker are too few; as root: ulimit -Hn 20000")
    workers = 1
    while _most_of_one(connections, workers) + PROBES > room:
        workers += 1
    return workers


def _most_of_one(connections: int, listeners: int) -> float:
    mean = connections / listeners
    return mean + SPREAD * math.sqrt(mean * (1 - 1 / listeners))


# --- room ---


def _files(plan: Plan) -> Check | None:
    allocated, _, most = map(int, read("/proc/sys/fs/file-nr").split())
    wanted = 2 * plan.connections + 1000
    return Check(
        "files",
        f"{most - allocated:,} more may be open on this machine, {wanted:,} wanted",
        most - allocated >= wanted,
        f"sysctl -w fs.file-max={allocated + wanted}",
    )


def _memory(plan: Plan) -> Check | None:
    available = re.search(r"^MemAvailable:\s+(\d+) kB$", read("/proc/meminfo"), re.MULTILINE)
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
    """Each process has its own listener. Other engines may have only one."""
    allowed = _number("/proc/sys/net/core/somaxconn")
    listeners = plan.workers if plan.engine == SEVERAL_PROCESSES else 1
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
    """tcp_mem has three limits: above the second the kernel saves memory, above the third it refuses connections
    (tcp(7)). Before Linux 6.0 an idle socket kept its page."""
    limits = read("/proc/sys/net/ipv4/tcp_mem").split()
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
    """A firewall that tracks connections drops those that its table has no room for. An empty table means that it
    tracks none."""
    most = _number("/proc/sys/net/netfilter/nf_conntrack_max")
    known = _number("/proc/sys/net/netfilter/nf_conntrack_count")
    if not most or not known:
        return None
    return Check(
        "conntrack",
        f"{most - known:,} more connections fit into the table of the firewall",
        most - known >= plan.connections,
        f"sysctl -w net.netfilter.nf_conntrack_max={known + plan.connections + 1000}",
    )


def _number(path: str) -> int | None:
    text = read(path)
    return int(text) if text else None
