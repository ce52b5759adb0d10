"""Two builds of weir beside each other: for each load and each engine, whether this build is faster or slower than the
other one. Their runs are interleaved, so they are compared round by round, as any two targets of a row. But these pairs
are chosen before the measurement, so only their intervals have to hold together."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from weir_lab.core.result import Cell
from weir_lab.core.target import OTHER, is_other
from weir_lab.report import tables
from weir_lab.report.figures import ALL, Figures, Ratio, deciding, short
from weir_lab.statistics import words
from weir_lab.statistics.measures import Measure

HEAD = ("work", "engine", "measure", "the other", "this", "this / other", "this build is")


@dataclass(frozen=True)
class Change:
    this: Cell
    measure: Measure
    of_other: str  # the figure of the other build, in words
    of_this: str
    ratio: Ratio | None  # this build divided by the other; None: too few of their rounds count

    @property
    def verdict(self) -> str:
        if self.ratio is None:
            return "not compared"
        if not self.ratio.is_told:
            return "no difference seen"
        return "faster" if (self.ratio.middle < 1) == self.measure.less_is_better else "slower"


def changes(figures: Figures) -> list[Change]:
    """Of everything that both builds were measured with."""
    others = {replace(one, target=one.target.removeprefix(OTHER)): one for one in figures.cells if is_other(one.target)}
    both = sorted({*figures.cells} & others.keys())
    engines = Counter(this.row for this in both)
    return [_change(figures, this, others[this], engines[this.row]) for this in both]


def _change(figures: Figures, this: Cell, other: Cell, engines: int) -> Change:
    measure = ALL[deciding(this)]
    of_other, of_this = (words.of(figures.summary(cell, measure.name), measure) for cell in (other, this))
    return Change(this, measure, of_other, of_this, figures.planned_ratio(this, other, measure.name, engines))


def lines(figures: Figures) -> Iterator[str]:
    """For a terminal of 80 columns."""
    for work, found in groupby(changes(figures), key=_work):
        yield f"{work}: this build beside the other one"
        for one in found:
            ratio = words.times(one.ratio).replace(" to ", "-") if one.ratio else ""
            engine = short(one.this.target)
            yield f"  {engine:<21.21} {one.of_other:>8} {one.of_this:>8} {ratio:>19} {one.verdict}"
        yield ""


def html(figures: Figures) -> str:
    """Empty if there is one build alone."""
    found = changes(figures)
    if not found:
        return ""
    said = (
        "<p>The runs of both builds are interleaved, and compared round by round. A build is faster or slower if the "
        "range of the ratio does not contain 1. The ranges of all engines at one load hold together with 95 % "
        "confidence. A range is widened by the lab's own error, and by 2 % at least: a smaller difference is not "
        "seen.</p>"
    )
    return said + tables.table("This build beside the other one", HEAD, [_row(one) for one in found], 3, "short")


def _row(one: Change) -> str:
    ratio = words.times(one.ratio) if one.ratio else words.MISSING
    figures = one.measure.title, one.of_other, one.of_this, ratio, one.verdict
    return tables.row(_work(one), short(one.this.target), *figures, numbers=range(3, 7), name_at=1)


def _work(one: Change) -> str:
    return f"{one.this.scenario}, {words.connections(one.this.connections)}{words.setting(one.this)}"
