"""Shows the steps on the terminal while they run."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from weir_lab.many_connections.planning import Plan
from weir_lab.many_connections.result import Step, Times


class StepProgress:
    """Prints a line for each step, and on a terminal also a bar for the current one."""

    def __init__(self, console: Console, plan: Plan) -> None:
        self._console, self._plan = console, plan
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("starting")

    def __enter__(self) -> StepProgress:
        plan = self._plan
        self._console.print(f"{plan.engine}, {plan.workers} workers; {plan.clients} clients, each with its own address")
        self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._bar.stop()

    def begins(self, words: str, of: int) -> None:
        self._bar.reset(self._task, total=of, description=words)

    def advances(self, count: int) -> None:
        self._bar.advance(self._task, count)

    def ended(self, step: Step) -> None:
        problems = step.problems()
        self._console.print(Text("; ".join(problems) or _words(step), "yellow" if problems else ""))


def _words(step: Step) -> str:
    if step.server_bytes_each is None or step.kernel_bytes_each is None or step.answers is None or step.probe is None:
        return f"no connections yet: the server has {step.server_bytes / 1e6:.1f} MB"
    memory = f"each {step.server_bytes_each:,.0f} bytes of the server and {step.kernel_bytes_each:,.0f} of the kernel"
    answered = f"all answered, {_times(step.answers)}; a new one {_times(step.probe)}"
    return f"{step.connections:,} connections, {memory}; {answered}"


def _times(times: Times) -> str:
    return f"p99 {times.p99 * 1e3:.1f} ms, slowest {times.max * 1e3:.1f} ms"
