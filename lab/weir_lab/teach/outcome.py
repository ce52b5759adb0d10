"""What an experiment of the guided hour measured: a few runs of each variant, in rounds."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field

from weir_lab.report import words
from weir_lab.report.figures import WITHIN_RESULT, Ratio
from weir_lab.statistics import T95

OTHERS_MAX = 0.15  # of one core, as in validity.py


@dataclass(frozen=True)
class Series:
    """The runs of one variant, one for each round."""

    name: str
    unit: str  # that of statistics.Measure: "s", "/s", "B"; or "%"
    values: list[float]
    errors: int = 0

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    def said(self) -> str:
        if len(self.values) == 1:
            return self.figure(self.median)
        extremes = " to ".join(self.figure(value) for value in (min(self.values), max(self.values)))
        return f"{self.figure(self.median)} ({extremes}, n = {len(self.values)})"

    def figure(self, value: float) -> str:
        return f"{words.significant(value)} %" if self.unit == "%" else words.figure(value, self.unit)


@dataclass(frozen=True)
class Outcome:
    series: list[Series] = field(default_factory=list)
    others: float = 0.0  # CPU of other programs meanwhile, in cores
    failed: str = ""  # why there are no figures

    def of(self, name: str) -> Series:
        return next(one for one in self.series if one.name == name)


def ratio(a: Sequence[float], b: Sequence[float]) -> Ratio | None:
    """A / B round by round, with 95 % confidence, as the reports compute it. None with fewer than two rounds."""
    logs = [math.log(one / other) for one, other in zip(a, b, strict=True) if one > 0 and other > 0]
    if len(logs) < 2:
        return None
    t = T95[min(len(logs) - 1, len(T95)) - 1]
    half = t * statistics.stdev(logs) / math.sqrt(len(logs)) + math.log1p(WITHIN_RESULT)
    middle = statistics.fmean(logs)
    return Ratio(math.exp(middle), math.exp(middle - half), math.exp(middle + half))
