"""Sentences about figures that stay true whatever was measured. A lesson says what the design leads one to expect; the
sentence says whether the runs show it."""

from dataclasses import dataclass
from typing import Literal

from weir_lab.course.teach.outcome import OTHERS_MAX, Outcome, Series, ratio
from weir_lab.statistics import words
from weir_lab.statistics.measures import Ratio

ALIKE = 1.25  # what "about as much" may differ by
NEAR = 1.25  # a prediction within this factor was close


@dataclass(frozen=True)
class Claim:
    """A is expected to be more than B, less, or alike. `because` completes "The design explains it: ..."."""

    a: str
    expected: Literal["more", "less", "alike"]
    b: str
    because: str


def judged(claim: Claim, outcome: Outcome) -> str:
    a, b = outcome.of(claim.a), outcome.of(claim.b)
    found = ratio(a.values, b.values)
    if found is None:
        return f"There are too few runs to compare {a.name} with {b.name}."
    said, verdict = _compared(a, b, found), _verdict(claim, found)
    if verdict == "shown":
        return f"{said} That is what the design leads us to expect: {claim.because}."
    if verdict == "contradicted":
        return (
            f"{said} The design leads us to expect otherwise: {claim.because}. Something else decides on this machine. "
            "Look for it before you believe either."
        )
    expected = {"more": "more of the first", "less": "less of the first", "alike": "both to be about alike"}
    return (
        f"{said} The design leads us to expect {expected[claim.expected]}: {claim.because}. These runs are too few, or "
        "too different from each other, to show it."
    )


def _verdict(claim: Claim, found: Ratio) -> Literal["shown", "contradicted", "can't tell"]:
    if claim.expected == "alike":
        if found.low >= 1 / ALIKE and found.high <= ALIKE:
            return "shown"
        return "contradicted" if found.low > ALIKE or found.high < 1 / ALIKE else "can't tell"
    if not found.is_told:
        return "can't tell"
    return "shown" if (found.middle > 1) == (claim.expected == "more") else "contradicted"


def _compared(a: Series, b: Series, found: Ratio) -> str:
    interval = f"95 % interval {words.interval(found.low, found.high)}"
    if found.is_told:
        return f"{a.name} has {words.ratio(found.middle)} times the figure of {b.name} ({interval})."
    return f"{a.name} and {b.name} can't be told apart: the ratio is {words.ratio(found.middle)} ({interval})."


def about_prediction(prediction: float | None, of: Series) -> str:
    """`prediction` is in the unit of the series."""
    measured = f"{of.name}: {of.said()}."
    if prediction is None:
        return f"You made no prediction. {measured}"
    said = f"You predicted {of.figure(prediction)}. {measured}"
    if min(of.values) <= prediction <= max(of.values):
        return f"{said} Your prediction lies within the runs."
    if prediction <= 0 or of.middle <= 0:
        return said
    factor = max(prediction / of.middle, of.middle / prediction)
    where = "above" if prediction > of.middle else "below"
    close = "close" if factor <= NEAR else "off"
    return f"{said} Your prediction is {close}: {where} the mean by a factor of {words.ratio(factor)}."


def about_circumstances(outcome: Outcome) -> list[str]:
    """What makes the figures doubtful; nothing, if nothing does."""
    said = []
    if outcome.others > OTHERS_MAX:
        said.append(
            f"Other programs used {outcome.others:.0%} of a core meanwhile, so the figures may be wrong. The lab would "
            "refuse such runs in an experiment.".replace("%", " %", 1)
        )
    said += [
        f"The generator counted {words.count(one.errors, 'error')} at {one.name}. The lab would refuse its runs."
        for one in outcome.series
        if one.errors
    ]
    return said
