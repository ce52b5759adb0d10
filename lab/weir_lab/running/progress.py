"""Shows the progress of a long experiment: the current run, the next one, and the time remaining."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.table import Column
from rich.text import Text

from weir_lab.core.result import Cell, Run


def words(cell: Cell) -> str:
    known = f"{cell.target}, {cell.scenario}, {cell.connections:,} connections, {cell.generator}"
    return f"{known} at {cell.rate:,.0f}/s" if cell.rate else known


class Progress:
    """Prints a line for each run that has ended, and on a terminal also a bar for the current run."""

    def __init__(self, console: Console) -> None:
        self._console = console
        current = TextColumn(
            "{task.description}", markup=False, table_column=Column(no_wrap=True, ratio=1)
        )  # cut short if need be
        self._bar = Bar(
            BarColumn(bar_width=10),
            MofNCompleteColumn(),
            TextColumn("{task.fields[left]}"),
            current,
            console=console,
            expand=True,
            transient=True,
            disable=not console.is_terminal,
            auto_refresh=False,
        )  # a thread would take CPU during the runs
        self._task = self._bar.add_task("", left="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._bar.stop()

    def begins(self, order: int, of: int, cell: Cell, round: int, next: Cell | None, seconds_left: float) -> None:
        following = f"; next: {next.target}, {next.scenario}" if next else ""
        self._bar.update(
            self._task,
            total=of,
            completed=order - 1,
            description=f"round {round + 1}: {words(cell)}{following}",
            left=f"{seconds_left / 60:.0f} min remaining" if seconds_left >= 60 else f"{seconds_left:.0f} s remaining",
            refresh=True,
        )

    def ended(self, run: Run) -> None:
        if run.refused:
            said = "refused: " + "; ".join(run.refused)
        elif run.load and run.cpu_per_request is not None:
            said = f"{run.load.rate:,.0f}/s, {run.cpu_per_request * 1e6:.2f} us of server CPU per request"
            if run.cell.rate and run.is_short_of_rate:
                said = f"short of its rate: {said}"
            if run.limited:
                said = f"limited: at least {said}; {run.limited}"
        else:
            said = "counted"
        self._console.print(Text(f"{run.round + 1}  {words(run.cell)}: {said}", "yellow" if run.refused else ""))
