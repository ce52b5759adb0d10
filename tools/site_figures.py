#!/usr/bin/env python3
"""Writes the table of figures on the demonstration site, www/index.html, from one committed result of the lab.

    python3 tools/site_figures.py
"""

import re
import sys
from html import escape
from pathlib import Path

SOURCE = Path(__file__).parents[1]
sys.path.insert(0, str(SOURCE / "lab"))

from weir_lab.core.result import Cell, Result  # noqa: E402
from weir_lab.statistics.measures import MEASURES, of_runs  # noqa: E402

PAGE = SOURCE / "www" / "index.html"
RESULT = "2026-11-22-peers"  # a folder of docs/results, whose runs of this kind are shown
FLOOR = "floor/epoll"
# What the page calls each target; its version stands in for the braces.
SHOWN = {FLOOR: "floor: no parsing", "weir/per-core": "weir {}, per-core", "may": "may_minihttp {}", "hyper": "hyper {}",
         "h2o": "h2o {}", "nginx-1": "nginx {}"}
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def mean(result, target):
    """Server CPU per request, as the lab's own tables state it."""
    cell = Cell("keep-alive", 100, "wrk", target, 1)
    return of_runs([run for run in result.runs if run.cell == cell and not run.refused and not run.traced], MEASURES["cpu"])


def name(result, target):
    """"nginx 1.22.1", from what the server says of itself: "nginx/1.22.1", "h2o version 2.2.5", "may 0.3, may_minihttp 0.1"."""
    shown = SHOWN[target]
    said = re.search(rf"{shown.split()[0]}\D*([\d.]+)", result.versions[target]) if "{}" in shown else None
    return escape(shown.format(said[1]) if said else shown)


def row(words, figure, widest, floor):
    """Figures in microseconds."""
    middle, low, high = (1e6 * value for value in (figure.middle, figure.low, figure.high))
    row_class, bar_class = (' class="floor-row"', ' class="floor"') if middle == floor else ("", "")
    return (f'<tr{row_class}><th scope="row">{words}</th><td class="number">{middle:.2f}</td>'
            f'<td class="number">{low:.2f}–{high:.2f}</td>'
            f'<td><svg class="bar" viewBox="0 0 {widest:.2f} 1" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect{bar_class} width="{middle:.2f}" height="1"/><path d="M{floor:.2f} -.3 V1.3"/></svg></td></tr>')


def between(numbers):
    low, *_, high = sorted(numbers)
    return str(low) if low == high else f"{low} to {high}"


def table(result):
    """The table between the markers, its caption included."""
    figures = {target: mean(result, target) for target in SHOWN}
    means = {target: 1e6 * figure.middle for target, figure in figures.items()}
    commit = result.weir.commit[:7] if result.weir else ""  # older results do not hold it
    rows = [row(name(result, target), figures[target], max(means.values()), means[FLOOR]) for target in SHOWN]
    return "\n".join([
        '<table class="figures">',
        f"  <caption>Processor time of the server for one request, in microseconds: 1 KB, 100 kept connections, one worker. "
        f"Geometric means of {between(figure.count for figure in figures.values())} runs each, with their 95 % intervals. "
        f"Measured on {result.started[:10]}{commit and f', weir of commit {commit}'}, on {escape(result.machine.virtual)} with "
        f"{len(result.machine.cores)} cores, with wrk.</caption>",
        '  <thead><tr><th scope="col">server</th><th scope="col" class="number">mean</th>'
        '<th scope="col" class="number">95 % interval</th><th scope="col">against the floor</th></tr></thead>',
        "  <tbody>", *(f"    {words}" for words in rows), "  </tbody>", "</table>"])


def page(words):
    """The page with the table of today's result in it."""
    result = Result.load(SOURCE / "docs" / "results" / RESULT / "result.json")
    before, _, rest = words.partition(BEGIN)
    _, _, after = rest.partition(END)
    indent = before[before.rindex("\n"):]
    return before + BEGIN + indent + table(result).replace("\n", indent) + indent + END + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
