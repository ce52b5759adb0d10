"""Which processes belong to a server, and what CPU time they took.

Usually they are the process that the lab started and its descendants. A server that daemonises leaves that family, and
one in a container never was in it: the kernel counts those by control group (cgroups(7))."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from weir_lab.kernel import clocks, processes
from weir_lab.kernel.cgroups import Group
from weir_lab.kernel.clocks import Clock

STOP_SECONDS = 5.0
INSPECT_SECONDS = 10.0


class Members(Protocol):
    def around(self, command: Sequence[str]) -> list[str]:
        """The command that starts the server in such a way that its processes are found again."""

    def tops(self, started: int) -> list[int]:
        """Processes whose families are the whole server. `started` is the process that the lab started."""

    def cpu(self, started: int) -> processes.Cpu: ...

    def clock(self, started: int) -> AbstractContextManager[Clock]:
        """Of all of them, for as long as the context lasts."""

    def end(self) -> None:
        """Ends those that live on when the process that the lab started has ended."""


class Family:
    """The process that was started, and its descendants."""

    def around(self, command: Sequence[str]) -> list[str]:
        return list(command)

    def tops(self, started: int) -> list[int]:
        return [started]

    def cpu(self, started: int) -> processes.Cpu:
        return processes.cpu(started)

    def clock(self, started: int) -> AbstractContextManager[Clock]:
        return clocks.of_server(started)

    def end(self) -> None:
        """The server's process group was ended already."""


class InGroup:
    """Everything in a control group that is made for the server."""

    def __init__(self, group: Group) -> None:
        self._group = group

    def around(self, command: Sequence[str]) -> list[str]:
        return self._group.around(command)

    def tops(self, started: int) -> list[int]:
        return tops_of(self._group.pids())

    def cpu(self, started: int) -> processes.Cpu:
        return self._group.cpu()

    def clock(self, started: int) -> AbstractContextManager[Clock]:
        return contextlib.nullcontext(Clock("cgroup", lambda: self.cpu(started).seconds))

    def end(self) -> None:
        self._signal(signal.SIGTERM)
        if not self._is_empty_within(STOP_SECONDS):
            self._signal(signal.SIGKILL)
            self._is_empty_within(STOP_SECONDS)
        self._group.remove()

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._group.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def _is_empty_within(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while self._group.pids():
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True


class InContainer:
    """Everything in the control group of a container. `docker run` or `podman run` itself is no part of the server."""

    def __init__(self, program: str, name: str) -> None:
        self._program, self._name, self._group = program, name, None

    _group: Group | None

    def around(self, command: Sequence[str]) -> list[str]:
        return list(command)

    def tops(self, started: int) -> list[int]:
        group = self._found()
        return tops_of(group.pids()) if group else []

    def cpu(self, started: int) -> processes.Cpu:
        group = self._found()
        return group.cpu() if group else processes.Cpu(0.0, 0.0)

    def clock(self, started: int) -> AbstractContextManager[Clock]:
        return contextlib.nullcontext(Clock("cgroup", lambda: self.cpu(started).seconds))

    def end(self) -> None:
        """SIGTERM to `docker run` reaches the server, but SIGKILL does not."""
        self._said("rm", "--force", self._name)

    def _found(self) -> Group | None:
        if self._group is None:
            pid = self._said("inspect", "--format", "{{.State.Pid}}", self._name).strip()
            self._group = Group.of_process(int(pid)) if pid.isdigit() and pid != "0" else None
        return self._group

    def _said(self, *arguments: str) -> str:
        done = subprocess.run(
            [self._program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=INSPECT_SECONDS,
            check=False,
        )
        return done.stdout


def tops_of(pids: Sequence[int]) -> list[int]:
    """Those whose parent is not among them."""
    return [pid for pid in pids if processes.parent(pid) not in pids]
