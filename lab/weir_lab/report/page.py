"""The page: summary, plots, tables, circumstances. One file that needs no other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from weir_lab.core import built, families
from weir_lab.core.result import Result
from weir_lab.drawing import svg
from weir_lab.report import change, circumstances, plots, rated, ratios, summary, tables
from weir_lab.report.figures import Figures, Group
from weir_lab.statistics import words

STYLE = Path(__file__).with_name("style.css")

# On paper, open what is folded on a screen.
UNFOLD = "addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(one => one.open = true))"


@dataclass(frozen=True)
class Section:
    title: str
    html: str

    @property
    def id(self) -> str:
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())


def write(result: Result, path: Path, others: Sequence[Section] = (), first: Sequence[Section] = ()) -> None:
    """`others` are sections right after the summary; a replay has some. `first` are those before it."""
    figures = Figures(result)
    sections = [
        *first,
        *([Section("The change", changed)] if (changed := change.html(figures)) else []),
        Section("Summary", summary.html(figures)),
        *others,
        *_plots(figures),
        Section("Tables", _tables(figures)),
        Section("Refused", tables.refused(figures)),
        Section("How it was measured", _circumstances(figures)),
    ]
    begun = result.started[:16].replace("T", " ")
    lead = f"{words.count(len(result.runs), 'run')} from {begun} UTC; {result.placement or 'placement not said'}."
    write_page(result.title, lead, sections, path)


def write_page(title: str, lead: str, sections: Sequence[Section], path: Path) -> None:
    path.write_text(built.without_root(document(title, lead, sections)), encoding="utf-8")


def style() -> str:
    return families.style() + STYLE.read_text(encoding="utf-8")


def document(title: str, lead: str, sections: Sequence[Section]) -> str:
    contents = "".join(f'<li><a href="#{one.id}">{escape(one.title)}</a></li>' for one in sections)
    body = "".join(
        f'<section class="section" aria-labelledby="{one.id}"><h2 id="{one.id}">{escape(one.title)}</h2>{one.html}'
        "</section>"
        for one in sections
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width, '
        'initial-scale=1">'
        f'<title>{escape(title)}: weir lab</title><link rel="icon" href="data:,">'
        f"<style>{style()}</style>"
        f"</head>\n"
        f'<body><header class="page top"><p class="brand">weir lab</p><h1>{escape(title)}</h1><p '
        f'class="lead">{escape(lead)}</p>'
        f'<nav aria-label="Sections"><ul>{contents}</ul></nav></header>\n<main class="page">{body}</main>\n'
        f"<script>{UNFOLD}</script>"
        f"</body></html>\n"
    )


def _plots(figures: Figures) -> list[Section]:
    drawn = plots.groups_to_draw(figures)
    closed, opened = ([one for one in drawn if not one.is_open_loop], [one for one in drawn if one.is_open_loop])
    concurrency = "".join(_work(figures, group) for group in closed)
    latency = "".join(plots.latency_curves(figures, group) for group in opened)
    memory = "".join(
        plots.memory(figures, group) for group in closed if group.scenario == "keep-alive" and group.workers == 1
    )
    floor = "".join(ratios.to_floor(figures, group) for group in closed)
    curves = "".join(rated.section(figures, group) for group in rated.groups(figures))
    every = [
        Section("Equal load", curves),
        Section("Beside the floor", _pairs(floor)),
        Section("CPU and throughput", concurrency),
        Section("Latency", _pairs(latency)),
        Section("Memory", memory),
    ]
    found = [one for one in every if one.html]
    if not found:
        return [Section("Plots", "<p>No run counts, so there is nothing to draw.</p>")]
    return [replace(found[0], html=_families(figures) + found[0].html), *found[1:]]


def _families(figures: Figures) -> str:
    """What the colours of the plots mean."""
    found = {svg.family(run.cell.target) for run in figures.result.runs}
    names = "".join(
        f'<li class="{family}">{escape(words_of)}</li>' for family, words_of in svg.FAMILIES.items() if family in found
    )
    return f'<ul class="families" aria-label="Colours of the plots">{names}</ul>'


def _pairs(plates: str) -> str:
    return plates and f'<div class="pairs">{plates}</div>'


def _work(figures: Figures, group: Group) -> str:
    return (
        _pairs(plots.by_concurrency(figures, group, "cpu") + plots.by_concurrency(figures, group, "rate"))
        + plots.small_ones(figures, group, "cpu")
        + plots.small_ones(figures, group, "rate")
    )


def _tables(figures: Figures) -> str:
    note = (
        "<p>Geometric means of the runs that count; ± is the 95 % interval. “× floor” is server CPU beside the better "
        "floor's; all ranges of one kind of work hold together with 95 % confidence. “At least”: the load "
        "generator was the limit, and the server can do more. “Limited”: the figure is the generator's. A dash: not "
        "known.</p>"
    )
    return note + "".join(tables.of_group(figures, group) for group in figures.groups) + tables.cross_check(figures)


def _circumstances(figures: Figures) -> str:
    parts = (
        ("Machine", circumstances.machine(figures.result)),
        ("Versions", circumstances.versions(figures.result)),
        ("What each target answered", circumstances.heads(figures)),
        ("Commands", circumstances.commands(figures) + circumstances.experiment(figures.result)),
    )
    return "".join(f"<h3>{title}</h3>{html}" for title, html in parts)
