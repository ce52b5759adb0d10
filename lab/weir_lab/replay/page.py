"""Shows a replay on the screen and as a page."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from rich.console import Console
from rich.table import Table

from weir_lab.core.result import Result, Run
from weir_lab.replay import charts, published
from weir_lab.replay.player import cell_of
from weir_lab.replay.seed import Row, Seed
from weir_lab.replay.users import Sample
from weir_lab.report import Section, write
from weir_lab.report.figures import short
from weir_lab.statistics import words


def write_page(seed: Seed, result: Result, samples: Mapping[str, Sequence[Sample]], path: Path) -> None:
    rows = "".join(_row(row, find(result, row)) for row in seed.rows)
    sections = [Section("Theirs and ours", f'{_introduction(seed)}<ol class="rows">{rows}</ol>')]
    if drawn := charts.by_threads(result.runs) + charts.over_time(samples):
        sections.append(
            Section("Their charts, from our runs", f'<p>{escape(LOCUST)}</p><div class="pairs">{drawn}</div>')
        )
    write(result, path, sections)


LOCUST = (
    "The users are Locust's, one process of it, on the same machine as the server. Each stays connected and asks for a "
    "page every ten seconds: users who asked as soon as they were answered would measure Locust, which needs some 0.3 "
    "ms of CPU for a request. The response time is mostly Locust's own as well: it grows with what else its one core "
    "has to do."
)


def _introduction(seed: Seed) -> str:
    beside = f"<p>Beside its rows: {escape(seed.seen_beside)}.</p>" if seed.seen_beside else ""
    return f"<p>Their machine: {escape(seed.machine)}.</p><p>{escape(seed.why)}</p>{beside}"


def _row(row: Row, run: Run | None) -> str:
    their_refusal = _refusal(published.refusal(row), "would be refused here")
    our_command = shlex.join(run.generator_command) if run else ""
    our_refusal = _refusal("; ".join(run.refused) if run else "", "refused")
    facts = [
        ("theirs", _command(row.command) + escape(published.said(row.published)) + their_refusal),
        ("ours", _command(our_command) + escape(published.ours(row, run)) + our_refusal),
        ("ours / theirs", published.ratio(row, run)),
        ("why", escape(row.why)),
    ]
    said = "".join(
        f"<div><dt>{name}</dt><dd>{html}</dd></div>" for name, html in facts if html and html != words.MISSING
    )
    return (
        f"<li><h4>{escape(row.what)}; {row.connections:,} at once</h4><p><code>{escape(short(row.target))}</code></p>"
        f'<dl class="facts">{said}</dl></li>'
    )


def _command(command: str) -> str:
    return f"<code>{escape(command)}</code><br>" if command else ""


def _refusal(reasons: str, said: str) -> str:
    return f'<small class="refusal">{said}: {escape(reasons)}</small>' if reasons else ""


def find(result: Result, row: Row) -> Run | None:
    """Each row has its own cell."""
    return next((run for run in reversed(result.runs) if run.cell == cell_of(row)), None)


def show(seed: Seed, result: Result, console: Console) -> None:
    table = Table(
        *("", "connections", "ours / theirs", "theirs", "ours"), title=seed.title, title_justify="left", pad_edge=False
    )
    for column in table.columns[1:3]:
        column.justify = "right"
    for row in seed.rows:
        table.add_row(*_shown(row, find(result, row)))
    console.print(table)
    for said in (f"Their machine: {seed.machine}.", seed.why, *dict.fromkeys(row.why for row in seed.rows if row.why)):
        console.print(said)


def _shown(row: Row, run: Run | None) -> tuple[str, ...]:
    return (
        f"{row.what}\n{row.target}",
        f"{row.connections:,}",
        published.ratio(row, run),
        _said(published.said(row.published), published.refusal(row), "would be refused here"),
        _said(published.ours(row, run), "; ".join(run.refused) if run else "", "refused"),
    )


def _said(figure: str, refused: str, how: str) -> str:
    return f"{figure}\n{how}: {refused}" if refused else figure
