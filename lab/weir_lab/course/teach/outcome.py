"""What an experiment of the guided hour measured: a few runs of each variant, in rounds."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from weir_lab.statistics import words
from weir_lab.statistics.measures import WITHIN_RESULT, Ratio, paired, summarise

OTHERS_MAX = 0.15  # of one core, as in validity.py


@dataclass(frozen=True)
class Series:
    """The runs of one variant, one for each round."""

    name: str
    unit: str  # that of statistics.Measure: "s", "/s", "B"; or "%"
    values: list[float]
    errors: int = 0

    @property
    def middle(self) -> float:
        """The geometric mean, as in all reports."""
        found = summarise(self.values)
        return found.middle if found else 0.0

    def said(self) -> str:
        if len(self.values) == 1:
            return self.figure(self.middle)
        extremes = " to ".join(self.figure(value) for value in (min(self.values), max(self.values)))
        return f"{self.figure(self.middle)} ({extremes}, n = {len(self.values)})"

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
    """A / B round by round, with 95 % confidence, and never narrower than the lab's reports have it. None with fewer
    than two rounds."""
    of, to = ({number: value for number, value in enumerate(one) if value > 0} for one in (a, b))
    found = paired(of, to)
    error = 1 + WITHIN_RESULT
    return found and Ratio(found.middle, found.low / error, found.high * error, found.count)
