"""Who holds the sockets of a port: the processes that have their inode among their descriptors (proc(5))."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from weir_lab.kernel import processes, sockets

NAME_MAX = 60


def strangers(tops: Sequence[int], port: int) -> list[str]:
    """The processes that hold sockets of the server's port, but are neither the server's (`tops`) nor descendants of
    those: they listen there too, or were given connections. The descriptors of all others are fewer than the server's
    at 10,000 connections."""
    sockets, family = _sockets_at(port), set(processes.families(tops))
    found = [one for one in all_processes() if one not in family and sockets & targets_of_descriptors(one)]
    if found:  # the server may have started them meanwhile
        family = set(processes.families(tops))
    return [f"{one} ({name(one)})" for one in found if one not in family]


def all_processes() -> list[int]:
    return [int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal()]


def name(pid: int) -> str:
    """The command line, as far as it says which program it is."""
    try:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if arguments != [b""]:
            said = " ".join(Path(one.decode(errors="replace")).name for one in arguments[:2] if one)
            return said[:NAME_MAX]
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    except OSError:
        return ""  # it has ended


def targets_of_descriptors(pid: int) -> set[str]:
    """What its descriptors are: "socket:[123]", "pipe:[124]", "/dev/null". Empty if it has ended, or is not ours to
    look at."""
    found = set()
    try:
        with os.scandir(f"/proc/{pid}/fd") as descriptors:
            for one in descriptors:
                try:
                    found.add(os.readlink(one.path))  # noqa: PTH115  (there may be 10,000)
                except OSError:
                    continue  # closed meanwhile
    except OSError:
        return found
    return found


def _sockets_at(port: int) -> set[str]:
    """Listeners and accepted connections."""
    found = _listeners(port)
    with contextlib.suppress(OSError):  # a kernel that lists connections in no other way
        found |= sockets.inodes(port)
    return {f"socket:[{inode}]" for inode in found}


def _listeners(port: int) -> set[int]:
    """Several processes may listen at one port (SO_REUSEPORT)."""
    local = f":{port:04X}"
    return {
        int(fields[9]) for fields in processes.tcp() if fields[1].endswith(local) and fields[3] == processes.LISTENING
    }
