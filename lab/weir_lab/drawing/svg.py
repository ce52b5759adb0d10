"""The shapes that plots are made of, as SVG text. Colours come from the page's style sheet by class, so that one
drawing serves light, dark and print. Families of engines differ in colour, floors and peers also in dashes, and targets
in the shape of their marks and in a label."""

import re
from html import escape

from weir_lab.core import families

MARKS = ("disc", "square", "triangle", "diamond", "ring", "cross", "box", "plus", "wedge", "kite", "star", "hexagon")

FAMILIES = families.TITLES | {"weir": "Another engine of weir", "peer": "A peer", "floor": "A floor"}


def camp(target: str) -> str:
    return {"floor": "floor", "weir": "weir", "program": "weir"}.get(target.partition("/")[0], "peer")


def family(target: str) -> str:
    if camp(target) != "weir":
        return camp(target)
    return families.ENGINES.get(re.split(r"[+ ]", target.partition("/")[2])[0], "weir")


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> str:
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{_kind(kind)}{placed}>{escape(words)}</text>'


def upwards(x: float, y: float, words: str, kind: str = "") -> str:
    """Read from below, and begins there."""
    return f'<text transform="translate({x:.1f} {y:.1f}) rotate(-90)"{_kind(kind)}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="{kind}"/>'


def polyline(points: list[tuple[float, float]], kind: str) -> str:
    return f'<path d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in points)}" class="{kind}"/>'


def rectangle(x: float, y: float, width: float, height: float, kind: str, opacity: float = 1.0) -> str:
    faint = f' opacity="{opacity:.2f}"' if opacity < 1 else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{height:.1f}" class="{kind}"{faint}/>'


def mark(x: float, y: float, shape: str, kind: str, size: float = 4.2) -> str:
    """Hollow shapes are filled with the paper's colour."""
    s, fill = size, "open" if shape in ("ring", "box", "kite", "wedge") else "full"
    if shape in ("disc", "ring"):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{s}" class="mark {kind} {fill}"/>'
    return f'<path d="{_outline(x, y, shape, s)}" class="mark {kind} {fill}"/>'


def _outline(x: float, y: float, shape: str, s: float) -> str:
    corners = {
        "square": [(-s, -s), (s, -s), (s, s), (-s, s)],
        "box": [(-s, -s), (s, -s), (s, s), (-s, s)],
        "triangle": [(0, -s * 1.25), (s * 1.15, s * 0.9), (-s * 1.15, s * 0.9)],
        "wedge": [(0, s * 1.25), (s * 1.15, -s * 0.9), (-s * 1.15, -s * 0.9)],
        "diamond": [(0, -s * 1.35), (s * 1.35, 0), (0, s * 1.35), (-s * 1.35, 0)],
        "kite": [(0, -s * 1.35), (s * 1.35, 0), (0, s * 1.35), (-s * 1.35, 0)],
        "hexagon": [(-s * 0.6, -s), (s * 0.6, -s), (s * 1.2, 0), (s * 0.6, s), (-s * 0.6, s), (-s * 1.2, 0)],
        "star": [
            (0, -s * 1.4),
            (s * 0.4, -s * 0.4),
            (s * 1.4, 0),
            (s * 0.4, s * 0.4),
            (0, s * 1.4),
            (-s * 0.4, s * 0.4),
            (-s * 1.4, 0),
            (-s * 0.4, -s * 0.4),
        ],
    }
    if shape in corners:
        return "M" + "L".join(f"{x + dx:.1f} {y + dy:.1f}" for dx, dy in corners[shape]) + "Z"
    cross, plus = (
        [((-s, -s), (s, s)), ((-s, s), (s, -s))],
        [((-s * 1.3, 0), (s * 1.3, 0)), ((0, -s * 1.3), (0, s * 1.3))],
    )
    strokes = cross if shape == "cross" else plus
    return "".join(f"M{x + a:.1f} {y + b:.1f}L{x + c:.1f} {y + d:.1f}" for (a, b), (c, d) in strokes)


def drawing(width: float, height: float, parts: list[str], alternative: str, kind: str = "") -> str:
    """`alternative` is the text for readers who cannot see it. If it is empty, another drawing of the same has it."""
    said = f'role="img" aria-label="{escape(alternative)}"' if alternative else 'aria-hidden="true"'
    return f'<svg viewBox="0 0 {width:.0f} {height:.0f}" {said} class="{f"plot {kind}".strip()}">{"".join(parts)}</svg>'


def _kind(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
