"""Which engine answers. weir says it in its first lines, and the kernel knows what it waits with: a ring or an epoll
instance is among the descriptors of the server."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from weir_lab.kernel import owners, processes

SAID = re.compile(r"^engine ([\w-]+)(?:, (\d+) workers?)?\b", re.MULTILINE)
RING, EPOLL = "anon_inode:[io_uring]", "anon_inode:[eventpoll]"


@dataclass(frozen=True)
class Asked:
    """What must be running."""

    program: Path
    engine: str
    waits: str  # of the engine's row in `weir engines`
    workers: int | None  # None: it has no number of them


@runtime_checkable
class NamesItsEngine(Protocol):
    def asked(self, workers: int) -> Asked: ...


def said(log: str) -> str:
    """The engine that the server names, or nothing."""
    match = SAID.search(log)
    return match[1] if match else ""


def wrong(asked: Asked, pid: int, log: str) -> str:
    """Why it is not the engine that was asked for. Empty if it is."""
    return _wrong_program(asked, pid) or _wrong_words(asked, log) or _wrong_descriptors(asked, pid)


def _wrong_program(asked: Asked, pid: int) -> str:
    try:
        running = Path(f"/proc/{pid}/exe").readlink()
        return "" if running.samefile(asked.program) else f"{running} runs, not {asked.program}"
    except OSError:
        return ""  # the program was built again meanwhile, and the old file is gone: provenance.py looks at that


def _wrong_words(asked: Asked, log: str) -> str:
    match = SAID.search(log)
    if not match:
        return f"the server names no engine; {asked.engine} was asked for"
    if match[1] != asked.engine:
        return f"the engine {match[1]} runs, not {asked.engine}"
    if asked.workers is not None and match[2] != str(asked.workers):
        return f"{match[2] or 'no'} workers run, not {asked.workers}"
    return ""


def _wrong_descriptors(asked: Asked, pid: int) -> str:
    has = set().union(*(owners.targets_of_descriptors(one) for one in processes.family(pid)))
    if not has:
        return ""  # not ours to look at
    if (RING in has) != ("ring" in asked.waits):
        return f"the server has {'a' if RING in has else 'no'} ring of io_uring, unlike the engine {asked.engine}"
    if "epoll" in asked.waits and EPOLL not in has:
        return f"the server has no epoll instance, unlike the engine {asked.engine}"
    return ""
