"""Shows a replay on the screen and as a page."""

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from rich.console import Console

from weir_lab.core.result import Result, Run
from weir_lab.replay import charts, published
from weir_lab.replay.player import cell_of
from weir_lab.replay.seed import Row, Seed
from weir_lab.replay.users import Sample
from weir_lab.report import Section, write
from weir_lab.report.figures import short
from weir_lab.report.terminal import WIDTH
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
    for line in _lines(seed, result):
        console.print(line)


def _lines(seed: Seed, result: Result) -> Iterator[str]:
    """None is wider than a terminal of 80 columns."""
    yield seed.title
    for row in seed.rows:
        yield ""
        yield from textwrap.wrap(f"{row.what}; {row.connections:,} at once ({short(row.target)})", WIDTH)
        for name, said in _said(row, find(result, row)):
            yield from textwrap.wrap(said, WIDTH, initial_indent=f"  {name:<15}", subsequent_indent=" " * 17)
    yield ""
    for said in (f"Their machine: {seed.machine}.", seed.why, *dict.fromkeys(row.why for row in seed.rows if row.why)):
        yield from textwrap.wrap(said, WIDTH)


def _said(row: Row, run: Run | None) -> Iterator[tuple[str, str]]:
    yield "theirs", published.said(row.published)
    if refused := published.refusal(row):
        yield "", f"would be refused here: {refused}"
    yield "ours", published.ours(row, run)
    if run and run.refused:
        yield "", f"refused: {'; '.join(run.refused)}"
    yield "ours / theirs", published.ratio(row, run)
