"""Describes this machine, and checks whether it is fit to measure on. Each problem comes with its fix."""

import os
import platform
import re
import resource
import time
from pathlib import Path

from weir_lab.core.result import Check, Machine
from weir_lab.counting import counters, interrupts, windows
from weir_lab.kernel import processes
from weir_lab.network import namespaces
from weir_lab.network.namespaces import Network

DESCRIPTORS_BESIDES = 500  # what a server and a generator open besides connections
IDLE_SECONDS = 1.0
NO_COUNTERS = "most virtual machines show no counters of the processor"
BUSY_PART = 0.1  # of one core, used by other programs: above that, figures change


def describe(connections: int) -> Machine:
    """`connections` is the largest number that the experiment opens at once."""
    with namespaces.private() as network:  # the settings that count are those of the runs
        connecting = [_backlog(connections), _ports(connections)]
    return Machine(
        processor=_processor(),
        cores=sorted(os.sched_getaffinity(0)),
        memory_bytes=os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"),
        kernel=platform.release(),
        system=_system(),
        virtual=_virtual(),
        checks=[
            _descriptors(connections),
            *connecting,
            _network(network),
            _counters(),
            _interrupts(),
            _cores(),
            _governor(),
            _watches(),
            *_idle(),
        ],
        limits={"descriptors": resource.getrlimit(resource.RLIMIT_NOFILE)[1], "backlog": _somaxconn()},
    )


def client_ports() -> int:
    return len(_client_ports())


def _client_ports() -> range:
    first, last = map(int, read("/proc/sys/net/ipv4/ip_local_port_range").split())
    return range(first, last + 1)


def raise_descriptor_limit() -> None:
    """Raises it as far as this process may. Servers and generators inherit it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _descriptors(connections: int) -> Check:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + DESCRIPTORS_BESIDES
    return Check(
        "descriptors",
        f"{hard} a process, {wanted} wanted",
        hard >= wanted,
        f"ulimit -Hn {wanted}  (as root, or in /etc/security/limits.conf)",
    )


def _backlog(connections: int) -> Check:
    allowed = _somaxconn()
    wanted = min(connections, 4096)
    return Check(
        "backlog",
        f"{allowed} connections may wait to be accepted, {wanted} may come at once",
        allowed >= wanted,
        f"sysctl -w net.core.somaxconn={wanted}",
    )


def _somaxconn() -> int:
    return int(read("/proc/sys/net/core/somaxconn") or 0)


def _ports(connections: int) -> Check:
    ports, waiting = client_ports(), processes.ports_waiting(_client_ports())
    return Check(
        "ports",
        f"{ports} for clients, {waiting} in TIME_WAIT",
        ports - waiting > connections + 1000,
        "wait a minute, or sysctl -w net.ipv4.ip_local_port_range='10000 65000'",
    )


def _network(found: Network) -> Check:
    return Check(
        "network",
        found.words(),
        found.is_private,
        "run the lab as root, or allow user namespaces (sysctl -w user.max_user_namespaces=10000); in a container, "
        "--privileged",
    )


def _cores() -> Check:
    count = len(os.sched_getaffinity(0))
    return Check(
        "cores",
        f"{count}",
        count >= 2,
        "use a machine with two cores or more; with one, server and generator take turns, and only figures of one "
        "result compare",
    )


def _governor() -> Check:
    found = {
        path.read_text(encoding="ascii").strip()
        for path in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor")
    }
    words = ", ".join(sorted(found)) or "none to see (a virtual machine)"
    return Check("governor", words, found <= {"performance"}, "cpupower frequency-set -g performance")


def _watches() -> Check:
    watches = int(read("/proc/sys/fs/inotify/max_user_watches") or 0)
    return Check("inotify", f"{watches} watches a user", watches >= 8192, "sysctl -w fs.inotify.max_user_watches=65536")


def _counters() -> Check:
    """A machine without them measures times as well as any other."""
    found = counters.countable()
    lacking = [event for event in (*counters.PROCESSOR, counters.CALLS) if event not in found]
    return Check(
        "counters",
        f"perf does not count {', '.join(lacking)}" if lacking else "perf counts the processor's and the kernel's",
        True,
        f"apt-get install linux-perf; as root, or with sysctl -w kernel.perf_event_paranoid=1; {NO_COUNTERS}",
    )


def _interrupts() -> Check:
    """The lab counts them for the server either way, as long as the server has cores of its own."""
    cores = sorted(os.sched_getaffinity(0))
    booked = "to nobody" if interrupts.are_booked_apart() else "to the task that they interrupt"
    return Check(
        "soft interrupts",
        f"booked {booked}",
        len(cores) > 1 or not interrupts.are_booked_apart(),
        "boot with tsc=noirqtime: with one core, nobody knows whether they were the server's or the generator's",
    )


def _idle() -> list[Check]:
    cores = sorted(os.sched_getaffinity(0))
    before, stolen_before = processes.machine_cpu_seconds(), interrupts.of_cores(cores).stolen
    time.sleep(IDLE_SECONDS)
    busy = (processes.machine_cpu_seconds() - before) / IDLE_SECONDS
    stolen = (interrupts.of_cores(cores).stolen - stolen_before) / IDLE_SECONDS / len(cores)
    return [
        Check("other load", f"{busy:.0%} of one core", busy < BUSY_PART, "stop other programs (top shows them)"),
        Check(
            "steal",
            f"the host takes {stolen:.1%} of the cores' time",
            stolen <= windows.STEAL_MAX,
            "use a virtual machine whose cores are its own, or wait until its neighbours are quiet",
        ),
    ]


def _processor() -> str:
    match = re.search(r"^model name\s*:\s*(.+)$", read("/proc/cpuinfo"), re.MULTILINE)
    return match[1] if match else platform.machine()


def _system() -> str:
    match = re.search(r'^PRETTY_NAME="?([^"\n]+)', read("/etc/os-release"), re.MULTILINE)
    return match[1] if match else platform.system()


def _virtual() -> str:
    if "hypervisor" not in read("/proc/cpuinfo"):
        return ""
    return read("/sys/class/dmi/id/sys_vendor").strip() or "a virtual machine"


def read(path: str) -> str:
    """Empty if the file does not exist: a network namespace has only some of them."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
