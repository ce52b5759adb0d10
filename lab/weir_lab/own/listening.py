"""Where processes listen (/proc/net/tcp, /proc/PID/fd)."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LISTENING = "0A"  # linux/tcp.h
SOCKET = re.compile(r"socket:\[(\d+)\]")
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
    inodes = {inode for pid in pids for inode in _sockets(pid)}
    found = [one for pid in pids[:1] for inode, one in _listening(pid) if inode in inodes]
    return list(dict.fromkeys(found))


def _sockets(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if found := SOCKET.fullmatch(str(descriptor.readlink())):
                    yield found[1]


def _listening(pid: int) -> Iterator[tuple[str, Listener]]:
    """In the network of that process."""
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/net/{name}").read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENING:
                    address, _, port = fields[1].partition(":")
                    yield fields[9], Listener(_address(address), int(port, 16))


def _address(hexadecimal: str) -> str:
    """The kernel prints words of 32 bits as this machine keeps them."""
    words = [int(hexadecimal[at : at + 8], 16) for at in range(0, len(hexadecimal), 8)]
    address = ipaddress.ip_address(struct.pack(f"={len(words)}I", *words))
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
