"""Tables in documents, made from results. A block in the document says which table; this module writes only
the table.

    <!-- weir-lab: figures
    result = "2026-11-21"                                   # a folder of docs/results
    columns = [{title = "100 kept", connections = 100}]     # or by scenario, generator, workers, part, measure, result
    rows = {"weir/per-core" = "`per-core`", h2o = "h2o"}    # targets, and how the table names them
    -->
    (the table)
    <!-- weir-lab: end -->

The other kinds of table: `ratios` (one target to others), `ways` (how peers can be set up), `many-connections`,
`replay` (of a seed), `circumstances` (a list), and `site` (HTML, for the demonstration site)."""

import re
import textwrap
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from weir_lab.cli import site_table
from weir_lab.core import built
from weir_lab.core.result import Cell, Result, Row
from weir_lab.course.map import picture as winners
from weir_lab.many_connections import result as many_connections
from weir_lab.many_connections.result import ManyConnections
from weir_lab.replay import SEEDS
from weir_lab.replay import table as replay_table
from weir_lab.report import summary
from weir_lab.report.figures import ALL, GIVEN, Figures
from weir_lab.statistics import words
from weir_lab.statistics.measures import COUNTED
from weir_lab.targets import caddy, h2o, hyper, lighttpd, nginx
from weir_lab.targets.ways import KINDS, SEPARATOR, Ways

RESULTS = built.REPOSITORY / "docs" / "results"
DOCUMENTS = (
    built.REPOSITORY / "README.md",
    RESULTS / "README.md",
    RESULTS / "replays" / "README.md",
    built.REPOSITORY / "docs" / "scale.md",
    built.REPOSITORY / "docs" / "which-engine.md",
    built.REPOSITORY / "www" / "index.html",
)
BLOCK = re.compile(
    r"(?P<head><!-- weir-lab: (?P<kind>[a-z-]+)\n(?P<asked>.*?)-->\n)(?P<made>.*?)(?P<end><!-- weir-lab: end -->)",
    re.DOTALL,
)
LINE_MAX = 120  # characters
RUNS_MIN = 2  # one run has no spread, so it proves nothing; for counted system calls one is enough
WAYS_OF = {"nginx-1": nginx.WAYS, "h2o": h2o.WAYS, "lighttpd": lighttpd.WAYS, "caddy": caddy.WAYS, "hyper": hyper.WAYS}


def renewed(text: str) -> str:
    """The document with its tables made anew. Raises ValueError for a block that cannot be made."""
    return BLOCK.sub(lambda found: found["head"] + _made(found["kind"], found["asked"]) + found["end"], text)


def picture() -> str:
    """Which engine wins where, as SVG."""
    return winners.drawn(figures_of(winners.RESULT).result)


def prose(text: str) -> str:
    """The document without its tables."""
    return BLOCK.sub("", text)


def _made(kind: str, asked: str) -> str:
    if kind not in KINDS_OF_BLOCK:
        raise ValueError(f"there is no table '{kind}'; there are {', '.join(KINDS_OF_BLOCK)}")
    try:
        return "\n".join(KINDS_OF_BLOCK[kind](tomllib.loads(asked))) + "\n"
    except KeyError as missing:
        raise ValueError(f"a table '{kind}' lacks {missing}") from None


@dataclass(frozen=True)
class Column:
    """One kind of work, and the figure that the column shows."""

    title: str
    result: str
    connections: int = 100
    scenario: str = "keep-alive"
    generator: str = "wrk"
    workers: int = 1
    measure: str = "cpu"
    part: float | None = None  # at the fixed rate that is nearest to this part of the capacity

    @property
    def figures(self) -> Figures:
        return figures_of(self.result)

    def cell(self, target: str) -> Cell:
        return Cell(self.scenario, self.connections, self.generator, target, self.workers, self.rate)

    @property
    def rate(self) -> float | None:
        if self.part is None:
            return None
        row = Row(self.scenario, self.connections, self.generator, self.workers)
        rates = {cell.rate for cell in self.figures.cells if cell.rate and replace(cell.row, rate=None) == row}
        capacity = next((of for key, of in self.figures.result.capacities.items() if _row_of(key) == row), None)
        if not rates or not capacity:
            raise ValueError(f"{self.result} has no fixed rate for {self.title}")
        wanted = capacity * self.part
        return min(rates, key=lambda rate: abs(rate - wanted))

    @property
    def head(self) -> str:
        return self.title.replace("{rate}", words.rate(self.rate)) if self.rate is not None else self.title


def _row_of(key: str) -> Row:
    scenario, connections, generator, _, workers = key.split("|")
    return Row(scenario, int(connections), generator, int(workers))


def _columns(asked: Mapping[str, Any]) -> list[Column]:
    try:
        return [Column(**({"result": asked.get("result", "")} | one)) for one in asked["columns"]]
    except TypeError as error:
        raise ValueError(f"a column is wrong: {error}") from None


@cache
def figures_of(folder: str) -> Figures:
    return Figures(Result.load(RESULTS / folder / "result.json"))


# --- the kinds of table ---------------------------------------------------------------------------------------


def _figures(asked: Mapping[str, Any]) -> list[str]:
    """Means, each with its 95 % interval, and the number of their runs in the head."""
    columns, rows = _columns(asked), dict(asked["rows"])
    head = [f"{one.head} (n = {_count(one, list(rows))})" for one in columns]
    return _table(head, [[title, *(_mean(one, target) for one in columns)] for target, title in rows.items()])


def _mean(column: Column, target: str) -> str:
    """Blank if it was not measured."""
    runs = column.figures.runs(column.cell(target), traced=column.measure in COUNTED)
    if not runs:
        return ""
    found = column.figures.summary(column.cell(target), column.measure)
    if found is None or found.count < _runs_min(column):
        return "refused" if all(run.refused for run in runs) else "does not count"
    if found.bound == "limited":
        return "limited by the generator"
    value = (
        words.significant(found.middle * 1e6)
        if column.measure == "cpu"
        else words.figure(found.middle, ALL[column.measure].unit)
    )
    if found.bound:
        return f"{found.bound} {value}, limited by the generator"
    if found.count < 2 or column.measure in GIVEN:
        return value
    return f"{value} ±{words.percent(found.spread, 0)}".replace("%", " %")


def _count(column: Column, targets: Sequence[str]) -> str:
    """The number of runs behind a figure."""
    found = (column.figures.summary(column.cell(target), column.measure) for target in targets)
    counts = [one.count for one in found if one and one.count >= _runs_min(column)]
    if not counts:
        return "0"
    return str(counts[0]) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def _runs_min(column: Column) -> int:
    return 1 if column.measure in COUNTED else RUNS_MIN


def _ratios(asked: Mapping[str, Any]) -> list[str]:
    """Of one target to the others, with 95 % confidence."""
    columns = _columns(asked)
    rows = [
        [title, *(_ratio(one, asked["of"], target) for one in columns)] for target, title in dict(asked["rows"]).items()
    ]
    return _table([one.head for one in columns], rows)


def _ratio(column: Column, target: str, to: str) -> str:
    found = column.figures.ratio(column.cell(target), column.cell(to), column.measure)
    return words.times(found) if found else ""


def _ways(asked: Mapping[str, Any]) -> list[str]:
    """Server CPU per request for each way to set up each peer. The way that the lab uses is bold."""
    columns = [Column(title=kind, result=asked["result"], scenario=kind) for kind in KINDS]
    rows = [
        [f"{peer}, `{way}`", *(_way(one, peer, way, ways) for one in columns)]
        for peer, ways in WAYS_OF.items()
        for way in ways.settings
    ]
    return _table([f"{one.title}" for one in columns], rows)


def _way(column: Column, peer: str, way: str, ways: Ways) -> str:
    said = _mean(column, f"{peer}{SEPARATOR}{way}")
    return f"**{said}**" if said and ways.best[column.scenario] == way else said


def _many_connections(asked: Mapping[str, Any]) -> list[str]:
    found = ManyConnections.load(RESULTS / asked["result"] / many_connections.FILE_NAME)
    head = [
        "opened in",
        "server, all of it",
        "server, each",
        "kernel, both ends, each",
        "answers: p50, p99, slowest",
        "a new client: p50, p99, slowest",
    ]
    rows = []
    for step in found.steps:
        each = [
            f"{value:,.0f} B" if value is not None else "" for value in (step.server_bytes_each, step.kernel_bytes_each)
        ]
        times = [
            ", ".join(f"{value * 1e3:.1f}" for value in (one.p50, one.p99, one.max)) + " ms" if one else ""
            for one in (step.answers, step.probe)
        ]
        rows.append(
            [f"{step.connections:,}", f"{step.open_seconds:.1f} s", f"{step.server_bytes / 1e6:.1f} MB", *each, *times]
        )
    return _table(head, rows, corner="connections")


def _circumstances(asked: Mapping[str, Any]) -> list[str]:
    figures = figures_of(asked["result"])
    result, machine = figures.result, figures.result.machine
    runs = [run for run in result.runs if not run.traced]
    began, ended = (one[:16].replace("T", " ") for one in (result.started, result.finished or "an interrupt"))
    refused = [run for run in runs if run.refused]
    limited = [run for run in runs if run.limited and not run.refused]
    lines = [
        f"Measured from {began} to {ended} UTC.",
        f"weir: {result.weir.words() if result.weir else 'this result does not name its commit'}.",
        (
            f"Machine: {machine.processor}, "
            f"{words.count(len(machine.cores), 'core')}{', virtual' if machine.virtual else ''}; Linux "
            f"{machine.kernel.partition('-')[0]}; {machine.system}."
        ),
        f"Placement: {result.placement}.",
        f"Versions: {'; '.join(_versions(result))}.",
        (
            f"Runs: {len(runs):,}, of which {len(refused):,} were refused. In {len(limited):,} more, the load "
            "generator was the limit: the CPU time counts, and the rate is only a lower bound."
        ),
        *([summary.lab_error(figures), summary.drifted(figures)] if figures.controls() else []),
    ]
    return [
        piece
        for line in lines
        for piece in textwrap.wrap(f"- {line}", LINE_MAX, subsequent_indent="  ", break_on_hyphens=False)
    ]


def _versions(result: Result) -> list[str]:
    """Without weir's, which has its own line, and the floors', which belong to the lab."""
    return list(
        dict.fromkeys(version for name, version in result.versions.items() if not name.startswith(("weir/", "floor/")))
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], corner: str = "") -> list[str]:
    return [
        f"| {' | '.join([corner, *head])} |".replace("|  |", "| |"),
        f"|{'---|' * (len(head) + 1)}",
        *(re.sub(r" +", " ", f"| {' | '.join(row)} |") for row in rows),
    ]


def _replay(asked: Mapping[str, Any]) -> list[str]:
    return replay_table.lines(SEEDS[asked["seed"]])


def _site(asked: Mapping[str, Any]) -> list[str]:
    return site_table.lines(figures_of(asked["result"]), asked["rows"])


KINDS_OF_BLOCK: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "figures": _figures,
    "ratios": _ratios,
    "ways": _ways,
    "many-connections": _many_connections,
    "circumstances": _circumstances,
    "replay": _replay,
    "site": _site,
}
