"""Where processes listen (/proc/net/tcp, /proc/PID/fd)."""

from __future__ import annotations

import contextlib
import ipaddress
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from weir_lab.kernel import processes
from weir_lab.kernel.owners import targets_of_descriptors

REACHED = ("127.0.0.1", "0.0.0.0", "::", "::ffff:127.0.0.1")


@dataclass(frozen=True)
class Listener:
    address: str
    port: int

    @property
    def is_reachable(self) -> bool:
        """At 127.0.0.1."""
        return self.address in REACHED


def listeners_of(pids: Iterable[int]) -> list[Listener]:
    """Each address once."""
    pids = list(pids)
    theirs = set().union(*(targets_of_descriptors(pid) for pid in pids))
    found = [one for pid in pids[:1] for inode, one in _listening(pid) if f"socket:[{inode}]" in theirs]
    return list(dict.fromkeys(found))


def _listening(pid: int) -> Iterator[tuple[str, Listener]]:
    """In the network of that process."""
    with contextlib.suppress(OSError):
        for fields in processes.tcp(str(pid)):
            if fields[3] == processes.LISTENING:
                address, _, port = fields[1].partition(":")
                yield fields[9], Listener(_address(address), int(port, 16))


def _address(hexadecimal: str) -> str:
    """The kernel prints words of 32 bits as this machine keeps them."""
    words = [int(hexadecimal[at : at + 8], 16) for at in range(0, len(hexadecimal), 8)]
    address = ipaddress.ip_address(struct.pack(f"={len(words)}I", *words))
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
