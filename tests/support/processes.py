"""Processes as proc(5) shows them. Each of them, and each of their threads, may end while it is looked at."""

import os
from contextlib import suppress
from pathlib import Path

GONE = (FileNotFoundError, ProcessLookupError)


def text_of(path):
    """Empty where the process has ended."""
    with suppress(*GONE):
        return path.read_text(encoding="ascii")
    return ""


def threads_of(pid):
    """Their folders. None of a process that has ended."""
    with suppress(*GONE):
        return [Path(f"/proc/{pid}/task/{thread}") for thread in os.listdir(f"/proc/{pid}/task")]
    return []


def processes(pid):
    """A process and all that descend from it, at the moment that each is looked at."""
    yield pid
    for thread in threads_of(pid):
        for child in text_of(thread / "children").split():
            yield from processes(int(child))


def links_of(pid):
    """What it has open: paths, and sockets by their inodes."""
    with suppress(*GONE):
        for fd in os.listdir(f"/proc/{pid}/fd"):
            with suppress(*GONE):
                yield os.readlink(f"/proc/{pid}/fd/{fd}")
