"""Prints with rich: text unchanged, and whole lines into files and pipes."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.table import Table

WHOLE_LINES = 10_000  # columns: without a terminal, rich would break lines at 80


def console(stream: TextIO) -> Console:
    made = Console(file=stream, highlight=False, markup=False, emoji=False)
    if not made.is_terminal:
        made.width = WHOLE_LINES
    return made


def plain_table(*columns: str) -> Table:
    return Table(*columns, box=None, pad_edge=False, header_style="bold", title_justify="left", title_style="")
