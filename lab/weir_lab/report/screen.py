"""Prints with rich: text unchanged, and whole lines into files and pipes."""

from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table

from weir_lab.core.result import Check

WHOLE_LINES = 10_000  # columns: without a terminal, rich would break lines at 80


def console(stream: TextIO) -> Console:
    made = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not made.is_terminal:
        made.width = WHOLE_LINES
    return made


def plain_table(*columns: str) -> Table:
    return Table(*columns, box=None, pad_edge=False, header_style="bold", title_justify="left", title_style="")


def table_of_checks(checks: Sequence[Check]) -> Table:
    """A fix stands only beside a problem."""
    table = plain_table("", "check", "found", "fix")
    for one in checks:
        table.add_row("ok" if one.fine else "problem", one.name, one.found, "" if one.fine else one.advice)
    return table
