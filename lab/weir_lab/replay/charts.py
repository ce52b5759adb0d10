"""Seed 1's charts, drawn from our runs: the rate by the client's threads, and ten thousand users over time."""

from collections.abc import Callable, Mapping, Sequence

from weir_lab.core.result import Run
from weir_lab.drawing import axis, lines, svg
from weir_lab.drawing.axis import Axis
from weir_lab.drawing.lines import Point, Series
from weir_lab.replay.users import Sample
from weir_lab.report.figures import short
from weir_lab.report.plots import figure
from weir_lab.statistics import words

ABOUT_EVERY = 40  # points of a line: a point for each second would be too many to see


def by_threads(runs: Sequence[Run]) -> str:
    """Leaves refused runs out."""
    counted = [run for run in runs if run.cell.generator == "rps" and run.load and not run.refused]
    if not counted:
        return ""
    series = _series(
        {
            target: [(run.cell.connections, run.load.rate) for run in counted if run.cell.target == target and run.load]
            for target in dict.fromkeys(run.cell.target for run in counted)
        }
    )
    threads = sorted({run.cell.connections for run in counted})
    x = Axis(
        "threads of the client, a connection each (logarithmic)",
        threads[0] * 0.9,
        threads[-1] * 1.1,
        tuple((float(one), str(one)) for one in threads),
        logarithmic=True,
    )
    y = axis.linear("requests per second", [point.y for one in series for point in one.points], axis.plain("/s"))
    said = "; ".join(
        f"{one.name}: " + ", ".join(f"{point.y:,.0f}/s with {point.x:.0f} threads" for point in one.points)
        for one in series
    )
    return figure(
        "Requests per second by the client's threads",
        "One run each, client and server on the same cores.",
        lines.both_widths(series, x, y, f"Requests per second by client threads. {said}."),
    )


def over_time(by_target: Mapping[str, Sequence[Sample]]) -> str:
    """One line for each target, in the three charts that the seed has."""
    drawn = {target: samples for target, samples in by_target.items() if len(samples) > 1}
    if not drawn:
        return ""
    charts = (
        ("Users", "users who are there", "", lambda one: float(one.users)),
        ("Rate", "requests per second", "/s", lambda one: one.rate),
        ("Response time", "median response time, as Locust sees it", "s", lambda one: one.median_seconds),
    )
    return "".join(_chart(drawn, title, name, unit, of) for title, name, unit, of in charts)


def _chart(
    by_target: Mapping[str, Sequence[Sample]], title: str, name: str, unit: str, of: Callable[[Sample], float | None]
) -> str:
    series = _series(
        {
            target: [(one.second, value) for one in _thinned(samples) if (value := of(one)) is not None]
            for target, samples in by_target.items()
        }
    )
    series = [one for one in series if one.points]
    if not series:
        return ""
    x = axis.linear(
        "seconds since the first user",
        [point.x for one in series for point in one.points],
        lambda value: f"{value:.0f}",
        6,
    )
    say = axis.plain(unit) if unit else lambda value: f"{value:,.0f}"
    y = axis.linear(name, [point.y for one in series for point in one.points], say)
    said = "; ".join(
        f"{one.name} at most {words.figure(max(point.y for point in one.points), unit)}, at the end "
        f"{words.figure(one.points[-1].y, unit)}"
        for one in series
    )
    return figure(
        f"{title} over time",
        "As Locust counted. Runs that were refused are drawn as well; their reasons stand under “Refused”.",
        lines.both_widths(series, x, y, f"{title} over time. {said}."),
    )


def _thinned(samples: Sequence[Sample]) -> Sequence[Sample]:
    return samples[:: max(len(samples) // ABOUT_EVERY, 1)]


def _series(points: Mapping[str, Sequence[tuple[float, float]]]) -> list[Series]:
    return [
        Series(short(target), svg.family(target), svg.MARKS[number], tuple(Point(x, y, y, y) for x, y in sorted(of)))
        for number, (target, of) in enumerate(points.items())
    ]
