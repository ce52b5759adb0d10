"""What a long experiment shows while it runs: the current run, the next one, and the time remaining."""

from __future__ import annotations

from types import TracebackType

from weir_lab.result import Cell, Run
from weir_lab.terminal import Screen


def words(cell: Cell) -> str:
    return f"{cell.target}, {cell.scenario}, {cell.connections:,} connections, {cell.generator}"


class Progress:
    """A line for each run that has ended; on a terminal also one for the current run."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._screen.status("")

    def begins(self, order: int, of: int, cell: Cell, round: int, next: Cell | None, seconds_left: float) -> None:
        remaining = f"{seconds_left / 60:.0f} min" if seconds_left >= 60 else f"{seconds_left:.0f} s"
        following = f"; next: {next.target}, {next.scenario}" if next else ""
        self._screen.status(f"{order}/{of}, {remaining} remaining: round {round + 1}, {words(cell)}{following}")

    def ended(self, run: Run) -> None:
        if run.refused:
            said = "refused: " + "; ".join(run.refused)
        elif run.load and run.cpu_per_request is not None:
            said = f"{run.load.rate:,.0f}/s, {run.cpu_per_request * 1e6:.2f} us of server CPU per request"
            if run.limited:
                said += f"; the rate is not the server's: {run.limited}"
        else:
            said = "counted"
        self._screen.line(f"{run.round + 1}  {words(run.cell)}: {said}", "yellow" if run.refused else "")
