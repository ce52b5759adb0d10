"""One page for two neighbours: what a request takes under each, where the time goes, and how their sources differ."""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from weir_lab.core.result import Cell, Result
from weir_lab.course.why import difference, flame
from weir_lab.course.why.callgrind import Instructions
from weir_lab.course.why.pairs import Pair
from weir_lab.course.why.recording import Recording
from weir_lab.report import Section, tables
from weir_lab.report.figures import ALL, Figures
from weir_lab.report.page import document
from weir_lab.statistics import words

SCENARIO, GENERATOR = "keep-alive", "wrk"
SHOWN = ("cpu", "calls", "switches", "instructions", "cycles", "cache-misses")  # of those that this lab measures
OF_THE_PROCESSOR = ("instructions", "cycles", "cache-misses")


def cell_of(engine: str, connections: int) -> Cell:
    return Cell(SCENARIO, connections, GENERATOR, f"weir/{engine}", 1)


def write(
    pair: Pair,
    result: Result,
    connections: Sequence[int],
    recordings: Mapping[str, Recording],
    instructions: Mapping[str, Instructions],
    path: Path,
) -> None:
    figures = Figures(result)
    sections = [
        Section("What a request takes", _figures(pair, figures, connections, instructions)),
        Section("Where the time goes", "".join(_flame(engine, recordings.get(engine)) for engine in (pair.a, pair.b))),
        Section("What differs in the source", difference.html(*pair.sources)),
    ]
    lead = (
        f"1 KB from memory over kept connections, one worker, load from {GENERATOR}; {result.started[:10]}, "
        f"{result.weir.words() if result.weir else 'a weir that is not named'}, {result.machine.processor}. "
        "docs/engines.md describes both."
    )
    html = document(f"Why: {pair.a} and {pair.b}", lead, sections)
    path.write_text(html.replace("</style>", f"{flame.STYLE}{difference.STYLE}</style>", 1), encoding="utf-8")


def _figures(pair: Pair, figures: Figures, connections: Sequence[int], instructions: Mapping[str, Instructions]) -> str:
    tables = "".join(_table(pair, figures, count) for count in connections)
    return tables + _not_counted(pair, figures, connections) + _callgrind(pair, instructions)


def _table(pair: Pair, figures: Figures, connections: int) -> str:
    cells = [cell_of(engine, connections) for engine in (pair.a, pair.b)]
    rows = [_row(figures, cells, name) for name in SHOWN if name in ALL]
    refused = "".join(f"<p>{escape(said)}</p>" for cell in cells if (said := _refusal(figures, cell)))
    head = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in (pair.a, pair.b))
    return (
        f'<div class="scroll"><table><caption>{words.connections(connections)}; geometric means, and the ratio and its '
        f'95 % interval</caption><thead><tr><th scope="col">per request</th>{head}<th scope="col" class="number">'
        f"{escape(pair.b)} / {escape(pair.a)}</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>{refused}"
    )


def _row(figures: Figures, cells: Sequence[Cell], measure: str) -> str:
    """Empty if neither has the figure."""
    found = [figures.summary(cell, measure) for cell in cells]
    if not any(found):
        return ""
    said = [f"{words.of(one, ALL[measure])} (n = {one.count})" if one else words.MISSING for one in found]
    a, b = found
    ratio = figures.ratio(cells[1], cells[0], measure)
    if ratio:
        told = "" if ratio.is_told else ", can't be told"
        said.append(f"{words.ratio(ratio.middle)} ({words.interval(ratio.low, ratio.high)}{told})")
    else:
        said.append(words.ratio(b.middle / a.middle) if a and b and a.middle else words.MISSING)
    title = ALL[measure].title.removesuffix(" per request")
    return tables.row(title, *said, numbers=(1, 2, 3))


def _refusal(figures: Figures, cell: Cell) -> str:
    """Why a cell has no figure of its times."""
    runs = figures.runs(cell)
    if not runs or not all(run.refused for run in runs):
        return ""
    reasons = "; ".join(dict.fromkeys(reason for run in runs for reason in run.refused))
    return f"{cell.target.removeprefix('weir/')} has no figures at {words.connections(cell.connections)}: {reasons}."


def _not_counted(pair: Pair, figures: Figures, connections: Sequence[int]) -> str:
    cells = [cell_of(engine, count) for engine in (pair.a, pair.b) for count in connections]
    if any(name in ALL and figures.summary(cell, name) for name in OF_THE_PROCESSOR for cell in cells):
        return ""
    return (
        "<p>Instructions, cycles and cache misses are not here: this machine doesn't let perf count them, as most "
        "virtual machines don't.</p>"
    )


def _callgrind(pair: Pair, instructions: Mapping[str, Instructions]) -> str:
    counted = [(engine, instructions[engine]) for engine in (pair.a, pair.b) if engine in instructions]
    said = "; ".join(f"{engine} {_instructions(one)}" for engine, one in counted)
    if not said:
        return ""
    return f"<p>Instructions per request in the program alone, one connection, by callgrind: {escape(said)}.</p>"


def _instructions(one: Instructions) -> str:
    return f"{one.per_request:,.0f}" if one.per_request is not None else f"none ({one.failure})"


def _flame(engine: str, recording: Recording | None) -> str:
    if recording is None or not recording.stacks:
        why = recording.failure if recording else "it was not recorded"
        return f"<h3>{escape(engine)}</h3><p>There is no flame graph: {escape(why)}.</p>"
    total = sum(recording.stacks.values())
    most = "; ".join(
        f"{flame.short(name)} {part:.0%}".replace("%", " %") for name, part in flame.widest(recording.stacks)
    )
    said = f"{engine}: {total} samples. The functions with most of them: {most}."
    return (
        f"<h3>{escape(engine)}</h3><p>{escape(said)} A box's width is its part of the samples; what it calls lies "
        'above. Blue is the kernel, orange is weir. Point at a box for its name.</p><div class="scroll" '
        f'tabindex="0">{flame.svg(recording.stacks, said)}</div>'
    )


def write_index(pairs: Sequence[Pair], path: Path) -> None:
    links = "".join(
        f'<li><a href="{escape(pair.page_name)}">{escape(pair.a)} and {escape(pair.b)}</a></li>' for pair in pairs
    )
    html = f"<p>In the order of docs/engines.md. The figures of all are in report.html.</p><ul>{links}</ul>"
    path.write_text(
        document("Why: all neighbours", "Two engines on each page.", [Section("Pairs", html)]), encoding="utf-8"
    )
