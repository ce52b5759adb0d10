"""The table of figures on the demonstration site, www/index.html, as HTML: server CPU per request, with a bar each."""

import re
from collections.abc import Mapping
from html import escape

from weir_lab.core.result import Cell, Result
from weir_lab.core.target import is_floor
from weir_lab.report.figures import Figures
from weir_lab.statistics.measures import Summary

INDENT = " " * 10  # of the page
HEAD = (
    '  <thead><tr><th scope="col">server</th><th scope="col" class="number">mean</th>'
    '<th scope="col" class="number">95 % interval</th><th scope="col">against the floor</th></tr></thead>'
)
MICROSECOND = 1e-6


def lines(figures: Figures, names: Mapping[str, str]) -> list[str]:
    """`names`: what the page calls each target. The target's version stands in for the braces. One is a floor."""
    shown = {target: _mean(figures, target) for target in names}
    widest = max(one.middle for one in shown.values()) / MICROSECOND
    floor = next(one.middle for target, one in shown.items() if is_floor(target)) / MICROSECOND
    rows = [
        _row(_name(figures.result, target, names[target]), target, shown[target], widest, floor) for target in names
    ]
    return [
        INDENT + line
        for line in (
            '<table class="figures">',
            f"  <caption>{_caption(figures.result, [one.count for one in shown.values()])}</caption>",
            HEAD,
            "  <tbody>",
            *(f"    {row}" for row in rows),
            "  </tbody>",
            "</table>",
        )
    ]


def _mean(figures: Figures, target: str) -> Summary:
    """Raises ValueError."""
    found = figures.summary(Cell("keep-alive", 100, "wrk", target, 1), "cpu")
    if found is None:
        raise ValueError(f"no run of {target} counts")
    return found


def _name(result: Result, target: str, shown: str) -> str:
    """With the version that follows the name in "nginx/1.22.1", "h2o version 2.2.5", "may 0.3, may_minihttp 0.1"."""
    said = re.search(rf"{shown.split(maxsplit=1)[0]}\D*([\d.]+)", result.versions[target]) if "{}" in shown else None
    return escape(shown.format(said[1]) if said else shown)


def _row(name: str, target: str, one: Summary, widest: float, floor: float) -> str:
    middle, low, high = (value / MICROSECOND for value in (one.middle, one.low, one.high))
    row_class, bar_class = (' class="floor-row"', ' class="floor"') if is_floor(target) else ("", "")
    return (
        f'<tr{row_class}><th scope="row">{name}</th><td class="number">{middle:.2f}</td>'
        f'<td class="number">{low:.2f}–{high:.2f}</td>'
        f'<td><svg class="bar" viewBox="0 0 {widest:.2f} 1" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect{bar_class} width="{middle:.2f}" height="1"/><path d="M{floor:.2f} -.3 V1.3"/></svg></td></tr>'
    )


def _caption(result: Result, counts: list[int]) -> str:
    low, high = min(counts), max(counts)
    commit = f", weir of commit {result.weir.commit[:7]}" if result.weir else ""  # older results do not hold it
    return (
        "Processor time of the server for one request, in microseconds: 1 KB, 100 kept connections, one worker. "
        f"Geometric means of {low if low == high else f'{low} to {high}'} runs each, with their 95 % intervals. "
        f"Measured on {result.started[:10]}{commit}, on {escape(result.machine.virtual)} with "
        f"{len(result.machine.cores)} cores, with wrk."
    )
