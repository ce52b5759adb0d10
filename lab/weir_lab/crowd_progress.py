"""What a crowd shows while it grows."""

from __future__ import annotations

import time
from types import TracebackType

from weir_lab.crowd_machine import Plan
from weir_lab.crowd_result import Step, Times
from weir_lab.terminal import Screen

SHOWN_EVERY_SECONDS = 0.1


class CrowdProgress:
    """A line for each step; on a terminal also how far the current one is."""

    def __init__(self, screen: Screen, plan: Plan) -> None:
        self._screen, self._plan = screen, plan
        self._words, self._of, self._done, self._shown = "starting", 0, 0, 0.0

    def __enter__(self) -> CrowdProgress:
        self._screen.line(f"{self._plan.engine}, {self._plan.workers} workers; {self._plan.clients} clients, each with its own address")
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._screen.status("")

    def begins(self, words: str, of: int) -> None:
        self._words, self._of, self._done = words, of, 0
        self._show()

    def advances(self, count: int) -> None:
        self._done += count
        if time.monotonic() >= self._shown + SHOWN_EVERY_SECONDS:
            self._show()

    def ended(self, step: Step) -> None:
        problems = step.problems()
        self._screen.line("; ".join(problems) or _words(step), "yellow" if problems else "")

    def _show(self) -> None:
        self._shown = time.monotonic()
        self._screen.status(f"{self._words}: {self._done:,} of {self._of:,}")


def _words(step: Step) -> str:
    if step.server_bytes_each is None or step.kernel_bytes_each is None or step.answers is None or step.probe is None:
        return f"no connections yet: the server has {step.server_bytes / 1e6:.1f} MB"
    memory = f"each {step.server_bytes_each:,.0f} bytes of the server and {step.kernel_bytes_each:,.0f} of the kernel"
    return f"{step.connections:,} connections, {memory}; all answered, {_times(step.answers)}; a new one {_times(step.probe)}"


def _times(times: Times) -> str:
    return f"p99 {times.p99 * 1e3:.1f} ms, slowest {times.max * 1e3:.1f} ms"
