"""What the kernel has counted in the network namespace of the calling thread (/proc/net/snmp and netstat, RFC 4022).
In a namespace of a run's own, the difference of two is that of the run: server, generator and the lab's own sockets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

OWN = Path("/proc/thread-self/net")


@dataclass(frozen=True)
class Traffic:
    """On loopback the client's bytes count as well as the server's: both ends are in the namespace."""

    accepts: int  # connections that came in and were established (PassiveOpens)
    bytes_out: int  # with the heads of IP and TCP (OutOctets)

    def __sub__(self, before: Traffic) -> Traffic:
        return Traffic(self.accepts - before.accepts, self.bytes_out - before.bytes_out)


def counts() -> Traffic:
    found = _read("snmp") | _read("netstat")
    return Traffic(found["Tcp", "PassiveOpens"], found["IpExt", "OutOctets"])


def _read(name: str) -> dict[tuple[str, str], int]:
    """Each line of names is followed by a line of numbers."""
    lines = (OWN / name).read_text(encoding="ascii").splitlines()
    found = {}
    for names, numbers in zip(lines[::2], lines[1::2], strict=True):
        group, *members = names.split()
        for member, number in zip(members, numbers.split()[1:], strict=True):
            found[group.rstrip(":"), member] = int(number)
    return found
