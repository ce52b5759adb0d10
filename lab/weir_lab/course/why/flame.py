"""A flame graph as SVG: each box is a function, its width the part of the samples that were in it or below it. What it
called lies above it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from weir_lab.course.why.folded import KERNEL, Stack

WIDTH = 1200.0
ROW = 17.0
LETTER = 6.3  # width of a letter
NARROWEST = 0.8  # a narrower box is left out

STYLE = (
    ".flame{width:100%;min-width:60rem;height:auto}.flame rect{stroke:var(--sheet,#fff);stroke-width:.7}"
    ".flame text{font:10.5px monospace;fill:#1b1b1b;pointer-events:none}"
    ".flame .kernel{fill:#8fb4dc}.flame .weir{fill:#f0a35e}.flame .library{fill:#d8cfa8}.flame .all{fill:#c9c9c9}"
)


@dataclass
class Box:
    name: str
    count: int = 0
    above: dict[str, Box] = field(default_factory=dict)


def tree(stacks: Counter[Stack]) -> Box:
    root = Box("all")
    for stack, count in stacks.items():
        root.count += count
        box = root
        for name in stack:
            box = box.above.setdefault(name, Box(name))
            box.count += count
    return root


def svg(stacks: Counter[Stack], said: str) -> str:
    """`said` is the alternative text."""
    root = tree(stacks)
    if not root.count:
        return ""
    boxes = list(_boxes(root, 0.0, 0, WIDTH / root.count))
    rows = max(row for *_, row in boxes) + 1
    drawn = "".join(_drawn(box, x, width, (rows - 1 - row) * ROW, root.count) for box, x, width, row in boxes)
    return (
        f'<svg viewBox="0 0 {WIDTH:.0f} {rows * ROW:.0f}" role="img" aria-label="{escape(said)}" class="flame">{drawn}'
        "</svg>"
    )


def _boxes(box: Box, x: float, row: int, scale: float) -> Iterator[tuple[Box, float, float, int]]:
    """With x, width and row. Siblings by name, so that two graphs can be compared."""
    width = box.count * scale
    if width < NARROWEST:
        return
    yield box, x, width, row
    for name in sorted(box.above):
        yield from _boxes(box.above[name], x, row + 1, scale)
        x += box.above[name].count * scale


def _drawn(box: Box, x: float, width: float, y: float, total: int) -> str:
    name = box.name.removesuffix(KERNEL)
    title = f"{name}: {100 * box.count / total:.1f} % ({box.count} of {total} samples)"
    room = int((width - 4) / LETTER)
    shown = short(name)
    words = "" if room < 3 else shown if len(shown) <= room else shown[: room - 1] + "…"
    text = f'<text x="{x + 2:.1f}" y="{y + ROW - 5:.1f}">{escape(words)}</text>' if words else ""
    return (
        f'<g><title>{escape(title)}</title><rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{ROW - 1:.1f}" '
        f'class="{kind(box.name)}"/>{text}</g>'
    )


def kind(name: str) -> str:
    if name == "all":
        return "all"
    if name.endswith(KERNEL):
        return "kernel"
    return "weir" if "weir::" in name else "library"


def short(name: str) -> str:
    """Without namespaces and template arguments."""
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    name = name.replace("(anonymous namespace)::", "").partition("(")[0]
    return re.sub(r"\b(?:weir|std|engines|http|net|site|server|cli)::", "", name)


def widest(stacks: Counter[Stack], count: int = 5) -> list[tuple[str, float]]:
    """The functions in which most samples were, not in what they called, with their part."""
    own: Counter[str] = Counter()
    for stack, samples in stacks.items():
        own[stack[-1]] += samples
    total = sum(own.values())
    return [(name.removesuffix(KERNEL), samples / total) for name, samples in own.most_common(count)]
