"""Plots as separate files, for pages that embed pictures. Each file contains its colours, light and dark."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape, unescape
from pathlib import Path

from weir_lab.core.result import Result
from weir_lab.report import plots, rated, ratios
from weir_lab.report.figures import ALL, Figures
from weir_lab.report.page import style

MARGIN = 16


def write_plots(result: Result, folder: Path, without: Sequence[str] = ()) -> list[Path]:
    """For the plainest work, and for latency at the highest rate, as far as they were measured."""
    figures = Figures(replace(result, runs=[run for run in result.runs if run.cell.target not in without]))
    groups = plots.groups_to_draw(figures)
    plain = next((one for one in groups if one.scenario == "keep-alive" and one.workers == 1), None)
    open_loop = next((one for one in reversed(groups) if one.is_open_loop), None)
    drawn: dict[str, str] = {}
    if plain:
        drawn |= {
            "cpu-by-connections": plots.by_concurrency(figures, plain, "cpu"),
            "rate-by-connections": plots.by_concurrency(figures, plain, "rate"),
            "times-the-floor": ratios.to_floor(figures, plain),
            "memory-by-connections": plots.memory(figures, plain),
        }
    for group in rated.groups(figures)[:1]:
        drawn |= {f"{name}-by-rate": rated.curve(figures, group, ALL[name]) for name in rated.MEASURES}
    if open_loop:
        drawn["latency"] = plots.latency_curves(figures, open_loop)
    folder.mkdir(parents=True, exist_ok=True)
    return [_write(folder / f"{name}.svg", plate) for name, plate in drawn.items() if plate]


def _write(path: Path, plate: str) -> Path:
    """The wide drawing of a plot."""
    found = re.search(
        r'<svg viewBox="0 0 (\d+) (\d+)" [^>]*aria-label="([^"]*)" class="plot wide">(.*?)</svg>', plate, re.DOTALL
    )
    assert found
    path.write_text(sheet(int(found[1]), int(found[2]), [found[4]], unescape(found[3])), encoding="utf-8")
    return path


def sheet(width: float, height: float, parts: Sequence[str], alternative: str) -> str:
    """A file of its own, with a margin. The first sentence of `alternative` is its title."""
    size = f"{width + 2 * MARGIN:.0f}", f"{height + 2 * MARGIN:.0f}"
    whole = 'width="{}" height="{}"'.format(*size)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {whole} viewBox="{-MARGIN} {-MARGIN} {size[0]} {size[1]}" role="img" '
        f'aria-label="{escape(alternative)}" class="plot wide">'
        f"<title>{escape(alternative.partition('. ')[0])}</title><style>{_style()}</style>"
        f'<rect x="{-MARGIN}" y="{-MARGIN}" {whole} class="sheet"/>{"".join(parts)}</svg>\n'
    )


def _style() -> str:
    """The page's rules for plots, with the palette twice: many viewers do not know light-dark()."""
    css = style()
    palette = re.findall(r"(--\w+): light-dark\((#\w+), (#\w+)\);", css)
    light, dark = ("".join(f"{found[0]}:{found[which]};" for found in palette) for which in (1, 2))
    fonts = "".join(re.findall(r"--(?:serif|mono): [^;]+;", css))
    rules = "".join(re.findall(r"^\.plot [^@\n]*$", css, re.MULTILINE))
    dark_mode = f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f":root{{{light}{fonts}}}{dark_mode}.sheet{{fill:var(--sheet)}}{rules}"
