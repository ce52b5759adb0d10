"""Line plots with a label at the end of each line, and small ones that show one line among all others."""

from collections.abc import Sequence
from dataclasses import dataclass

from weir_lab.drawing import svg
from weir_lab.drawing.axis import Axis


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    low: float
    high: float
    bound: str = ""  # "at least", "at most": y is no more than that; "short": the target did not reach the rate


@dataclass(frozen=True)
class Series:
    name: str
    family: str  # of svg.FAMILIES
    shape: str
    points: tuple[Point, ...]

    def label(self, x: Axis) -> str:
        """If the line ends before the others do, its label says where: it stands at the edge of the drawing."""
        last = self.points[-1].x if self.points else x.high
        names = [name for value, name in x.ticks if value > last * 1.0001]
        end = next((name for value, name in x.ticks if value == last), None)
        return f"{self.name}, to {end}" if names and end else self.name


@dataclass(frozen=True)
class Frame:
    """The area of the lines within the drawing."""

    left: float
    top: float
    right: float
    bottom: float
    x: Axis
    y: Axis

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.x.place(x, self.left, self.right), self.y.place(y, self.bottom, self.top)


WIDE, NARROW = 600, 350
LABEL_HEIGHT = 15.5
MARKS_MAX = 8
CHARACTER = 6.9  # width of a label's letter, a little too large
TITLE_CHARACTER = 6.4  # the same of an axis' title


def both_widths(series: Sequence[Series], x: Axis, y: Axis, alternative: str) -> str:
    """For wide and for narrow screens. The style sheet shows one of them, and both have the same alternative text."""
    return plot(series, x, y, alternative, WIDE, "wide") + plot(series, x, y, alternative, NARROW, "narrow")


def plot(series: Sequence[Series], x: Axis, y: Axis, alternative: str, width: float, kind: str) -> str:
    longest = max(len(one.label(x)) for one in series)
    height = max(330 if width > 500 else 300, 90 + LABEL_HEIGHT * len(series))
    left = 14 + max(len(words) for _, words in y.ticks) * CHARACTER
    frame = Frame(left, 34, width - 34 - longest * CHARACTER, height - 46, x, y)
    parts = grid(frame)
    parts += [part for one in series for part in _line(frame, one)]
    parts += _labels(frame, series)
    return svg.drawing(width, height, parts, alternative, kind)


def grid(frame: Frame, titles: bool = True) -> list[str]:
    parts = []
    for value, name in frame.y.ticks:
        _, y = frame.at(frame.x.low, value)
        parts += [svg.line(frame.left, y, frame.right, y, "grid"), svg.text(frame.left - 7, y + 4, name, "tick", "end")]
    for value, name in _apart(frame):
        x, _ = frame.at(value, frame.y.low)
        parts += [
            svg.line(x, frame.bottom, x, frame.bottom + 4, "axis"),
            svg.text(x, frame.bottom + 17, name, "tick", "middle"),
        ]
    parts.append(svg.line(frame.left, frame.bottom, frame.right, frame.bottom, "axis"))
    if titles:
        middle = max((frame.left + frame.right) / 2, len(frame.x.title) * TITLE_CHARACTER / 2 + 2)
        parts += [
            svg.text(2, 16, frame.y.title, "title"),
            svg.text(middle, frame.bottom + 36, frame.x.title, "title", "middle"),
        ]
    return parts


def _apart(frame: Frame) -> list[tuple[float, str]]:
    """Leaves out ticks whose words would touch the previous ones."""
    kept: list[tuple[float, str]] = []
    end = float("-inf")
    for value, name in frame.x.ticks:
        middle, half = frame.at(value, frame.y.low)[0], len(name) * CHARACTER / 2
        if middle - half > end + 4:
            kept.append((value, name))
            end = middle + half
    return kept


def _line(frame: Frame, one: Series) -> list[str]:
    placed = [frame.at(point.x, point.y) for point in one.points]
    parts = [svg.polyline(placed, f"line {one.family}")] if len(placed) > 1 else []
    for point, (x, _) in zip(one.points, placed, strict=True):
        low, high = frame.at(point.x, point.low)[1], frame.at(point.x, point.high)[1]
        if low - high > 3:
            parts.append(svg.line(x, low, x, high, f"whisker {one.family}"))
    every = max(len(placed) // MARKS_MAX, 1)  # with many points, only some have a mark, and the last one
    marks = [_marked(x, y, point, one) for point, (x, y) in list(zip(one.points, placed, strict=True))[::-every]]
    return parts + [part for mark in marks for part in mark]


ARROW = 9.0


def _marked(x: float, y: float, point: Point, one: Series) -> list[str]:
    """A bound has an arrow towards the values that it leaves possible."""
    if point.bound == "short":
        return [svg.mark(x, y, "cross", one.family, 5.2)]
    arrow = []
    if point.bound:
        end = y - ARROW if point.bound == "at least" else y + ARROW
        back = 4 if point.bound == "at least" else -4
        arrow = [
            svg.line(x, y, x, end, f"whisker {one.family}"),
            svg.polyline([(x - 3.5, end + back), (x, end), (x + 3.5, end + back)], f"whisker {one.family}"),
        ]
    return [*arrow, svg.mark(x, y, one.shape, one.family)]


def _labels(frame: Frame, series: Sequence[Series]) -> list[str]:
    """At the end of each line. If they would overlap, they move apart, and a thin line ties each to its end."""
    ends = sorted(
        ((frame.at(one.points[-1].x, one.points[-1].y), one) for one in series if one.points), key=lambda end: end[0][1]
    )
    heights = spread_out([y for (_, y), _ in ends], LABEL_HEIGHT, frame.top - 8, frame.bottom + 8)
    parts = []
    for ((x, y), one), height in zip(ends, heights, strict=True):
        at = frame.right + 12
        if x > frame.right - 30:  # otherwise a line would stand where nothing was measured
            parts.append(svg.polyline([(x + 6, y), (max(at - 6, x + 6), height), (at + 2, height)], "leader"))
        parts += [
            svg.mark(at + 8, height, one.shape, one.family, 3.6),
            svg.text(at + 17, height + 4.5, one.label(frame.x), f"label {one.family}"),
        ]
    return parts


def spread_out(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Moves the places apart to the minimum distance, as little as possible, in the same order, and within the bounds
    if they fit. Neighbours that touch become a block around the mean of its members."""
    blocks: list[list[float]] = []  # the sum of the wanted places, and their number
    for number, place in enumerate(wanted):
        blocks.append([place - number * apart, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    latest = high - (len(wanted) - 1) * apart
    begins = [max(low, min(latest, total / count)) for total, count in blocks for _ in range(int(count))]
    return [begin + number * apart for number, begin in enumerate(begins)]


def small(one: Series, others: Sequence[Series], x: Axis, y: Axis, alternative: str) -> str:
    """This line among all others, which are faint."""
    frame = Frame(10 + max(len(words) for _, words in y.ticks) * CHARACTER, 12, 224, 118, x, y)
    parts = grid(frame, titles=False)
    for other in others:
        if other is not one and len(other.points) > 1:
            parts.append(
                svg.polyline(
                    [frame.at(point.x, point.y) for point in other.points],
                    "floor line" if other.family == "floor" else "faint",
                )
            )
    return svg.drawing(244, 142, parts + _line(frame, one), alternative, "small")
