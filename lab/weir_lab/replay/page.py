"""A replay for people: on the screen, and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from rich.console import Console
from rich.table import Table

from weir_lab.replay import charts, theirs
from weir_lab.replay.play import cell_of
from weir_lab.replay.seed import Row, Seed
from weir_lab.replay.users import Moment
from weir_lab.report import Section, write
from weir_lab.report.tables import table
from weir_lab.result import Result, Run

HEAD = ("the seed's, and ours", "theirs", "ours", "ours / theirs", "why they differ")


def write_page(seed: Seed, result: Result, crowds: Mapping[str, Sequence[Moment]], path: Path) -> None:
    sections = [Section("Theirs and ours", _introduction(seed) + table("Their rows, and ours", HEAD, [_row(row, find(result, row)) for row in seed.rows], 99))]
    if drawn := charts.by_threads(result.runs) + charts.over_time(crowds):
        sections.append(Section("Their charts, from our runs", f'<p>{escape(LOCUST)}</p><div class="pairs">{drawn}</div>'))
    write(result, path, sections)


LOCUST = ("The users are Locust's, one process of it, on the same machine as the server. Each stays connected and asks for a page every ten seconds: "
          "users who asked as soon as they were answered would measure Locust, which needs some 0.3 ms of CPU for a request. "
          "The response time is mostly Locust's own as well: it grows with what else its one core has to do.")


def _introduction(seed: Seed) -> str:
    beside = f"<p>Beside its rows: {escape(seed.seen_beside)}.</p>" if seed.seen_beside else ""
    return f"<p>Their machine: {escape(seed.machine)}.</p><p>{escape(seed.why)}</p>{beside}"


def _row(row: Row, run: Run | None) -> str:
    refused_theirs, refused_ours = theirs.refusal(row), "; ".join(run.refused) if run else ""
    return (f'<tr><th scope="row">{escape(row.what)}<br>{escape(row.target)}</th>'
            f"<td>{_command(row.command)}{escape(theirs.said(row.published))}{_refusal(refused_theirs, 'would be refused here')}</td>"
            f"<td>{_command(' '.join(run.generator_command) if run else '')}{escape(theirs.ours(row, run))}{_refusal(refused_ours, 'refused')}</td>"
            f"<td>{theirs.ratio(row, run)}</td><td>{escape(row.why)}</td></tr>")


def _command(words: str) -> str:
    return f"<code>{escape(words)}</code><br>" if words else ""


def _refusal(reasons: str, said: str) -> str:
    return f'<small class="refusal">{said}: {escape(reasons)}</small>' if reasons else ""


def find(result: Result, row: Row) -> Run | None:
    """Rows have a cell of their own each."""
    return next((run for run in reversed(result.runs) if run.cell == cell_of(row)), None)


def show(seed: Seed, result: Result, console: Console) -> None:
    screen = Table(*("", "at once", "theirs", "ours", "ours / theirs"), title=seed.title, title_justify="left", pad_edge=False)
    for row in seed.rows:
        run = find(result, row)
        refused_theirs, refused_ours = theirs.refusal(row), "; ".join(run.refused) if run else ""
        screen.add_row(f"{row.what}\n{row.target}", f"{row.connections:,}", _said(theirs.said(row.published), refused_theirs, "would be refused here"),
                       _said(theirs.ours(row, run), refused_ours, "refused"), theirs.ratio(row, run))
    console.print(screen)
    for words in (f"Their machine: {seed.machine}.", seed.why, *dict.fromkeys(row.why for row in seed.rows if row.why)):
        console.print(words, markup=False)


def _said(words: str, refused: str, how: str) -> str:
    return f"{words}\n{how}: {refused}" if refused else words
