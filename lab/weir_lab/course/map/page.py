"""The map: kinds of work by connections, and in each field the engine that wins there. A section of the report of any
result that has enough fields."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from weir_lab.core import families
from weir_lab.core.result import Cell, Result, Run
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import is_control
from weir_lab.course.map.winners import Verdict, middle, verdict
from weir_lab.drawing import svg
from weir_lab.experiments import experiment as experiments
from weir_lab.report import Section
from weir_lab.report.figures import Figures, is_weir, short
from weir_lab.statistics import words

WORKS_MIN = 3
CONNECTIONS_MIN = 2
HANDLERS = {"none": 0, "spin": 1, "sleep": 2, "timer": 3}  # the order of the rows
NAMES = {"spin": "computes for", "sleep": "sleeps for", "timer": "answers after"}
SHOWN_MAX = 3  # names in a field


@dataclass(frozen=True)
class Field:
    """One kind of work at one number of connections."""

    work: str  # a scenario
    connections: int
    runs: Mapping[str, Sequence[Run]]  # that count, by engine
    refused: Mapping[str, str]  # why engines have no run that counts
    verdict: Verdict | None


def sections(result: Result) -> list[Section]:
    """None if the result is no map."""
    experiments.recall(result.experiment)
    fields = fields_of(result)
    works = sorted({one.work for one in fields}, key=_order)
    connections = sorted({one.connections for one in fields})
    if len(works) < WORKS_MIN or len(connections) < CONNECTIONS_MIN:
        return []
    by_place = {(one.work, one.connections): one for one in fields}
    return [Section("Which architecture wins where", _about() + _map(works, connections, by_place) + _all(fields))]


def fields_of(result: Result, belongs: Callable[[Cell], bool] | None = None) -> list[Field]:
    """Of weir's engines at kept connections, unless told otherwise: with a handler, or the plainest work."""
    belongs = belongs or _belongs
    found: dict[tuple[str, int], list[Run]] = {}
    for run in result.runs:
        if belongs(run.cell) and not run.traced:
            found.setdefault((run.cell.scenario, run.cell.connections), []).append(run)
    figures = Figures(result)
    return [
        _field(work, connections, runs, figures.own_error(runs[0].cell, "rate"))
        for (work, connections), runs in found.items()
    ]


def _belongs(cell: Cell) -> bool:
    known = SCENARIOS.get(cell.scenario)
    is_engine = is_weir(cell.target) and not is_control(cell.target)
    return (
        is_engine
        and cell.rate is None
        and known is not None
        and (known.handler != "none" or known.name == "keep-alive")
    )


def _field(work: str, connections: int, runs: Sequence[Run], error: float) -> Field:
    engines = dict.fromkeys(short(run.cell.target) for run in runs)
    of = {name: [run for run in runs if short(run.cell.target) == name] for name in engines}
    counted = {name: [run for run in all_of if not run.refused] for name, all_of in of.items()}
    refused = {
        name: "; ".join(dict.fromkeys(reason for run in all_of for reason in run.refused))
        for name, all_of in of.items()
        if not counted[name]
    }
    counted = {name: one for name, one in counted.items() if one}
    return Field(work, connections, counted, refused, verdict(counted, error))


def _order(work: str) -> tuple[int, float]:
    return HANDLERS[SCENARIOS[work].handler], SCENARIOS[work].handler_seconds


def work_in_words(work: str) -> str:
    known = SCENARIOS[work]
    if known.handler == "none":
        return "no handler: 1 KB from memory"
    return f"the handler {NAMES[known.handler]} {words.seconds(known.handler_seconds)}"


def _about() -> str:
    return (
        "<p>Each field names the engine that answers most requests a second. Where the load generator was the limit "
        "for all of the fastest engines, the field names the one that needs the least CPU for a request. Names that "
        "stand together can't be told apart. The factor is the lead over the best of the others. All intervals of a "
        "field hold together with 95 % confidence, because the winner is picked after the measurement.</p>"
    )


def _map(works: Sequence[str], connections: Sequence[int], fields: Mapping[tuple[str, int], Field]) -> str:
    head = "".join(f'<th scope="col">{words.connections(count)}</th>' for count in connections)
    rows = "".join(
        f'<tr><th scope="row">{escape(work_in_words(work))}</th>'
        + "".join(_in_map(fields.get((work, count))) for count in connections)
        + "</tr>"
        for work in works
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Map of winners"><table class="short"><caption>'
        f'Which architecture wins where. {_legend()}</caption><thead><tr><th scope="col">work</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _in_map(field: Field | None) -> str:
    if field is None:
        return "<td>–<small>not measured</small></td>"
    if field.verdict is None:
        return "<td>–<small>too few runs count</small></td>"
    names = field.verdict.winners
    shown = words.names(names[:SHOWN_MAX]) + (f" and {len(names) - SHOWN_MAX} more" if len(names) > SHOWN_MAX else "")
    told = f"<b>{escape(shown)}</b>" if field.verdict.is_told else f"{escape(shown)}<small>can't be told apart</small>"
    return f"<td{_won_by(names)}>{told}<small>{escape(lead_in_words(field.verdict))}</small></td>"


def _won_by(winners: Sequence[str]) -> str:
    """The family, for its colour. Only if all that can't be told apart are of one."""
    won = {svg.family(f"weir/{name}") for name in winners}
    return f' class="won {won.pop()}"' if len(won) == 1 else ""


def _legend() -> str:
    return "; ".join(f'<span class="won {name}">{escape(title)}</span>' for name, title in families.TITLES.items())


def lead_in_words(of: Verdict) -> str:
    if of.lead is None:
        return f"nobody is told to be behind ({of.decided_by})"
    lead = words.times(of.lead)
    if of.decided_by == "rate":
        return f"{lead} times the rate of {of.ahead_of}"
    return f"{of.ahead_of} needs {lead} times the CPU"


def _all(fields: Sequence[Field]) -> str:
    """Every engine in every field, from the highest rate to the lowest."""
    rows = "".join(_of_field(field) for field in sorted(fields, key=lambda one: (_order(one.work), one.connections)))
    return (
        '<details><summary>Every engine in every field</summary><div class="scroll" tabindex="0"><table><thead><tr>'
        '<th scope="col">work</th><th scope="col" class="number">connections</th><th scope="col">engine</th><th '
        'scope="col" class="number">requests per second</th><th scope="col" class="number">CPU per request</th><th '
        f'scope="col" class="number">n</th></tr></thead><tbody>{rows}</tbody></table></div></details>'
    )


def _of_field(field: Field) -> str:
    place = f'<th scope="row">{escape(work_in_words(field.work))}</th><td class="number">{field.connections:,}</td>'
    ranked = sorted(field.runs, key=lambda name: -middle([run.load.rate for run in field.runs[name] if run.load]))
    measured = "".join(f"<tr>{place}{_of_engine(name, field.runs[name])}</tr>" for name in ranked)
    refused = "".join(
        f'<tr>{place}<td>{escape(name)}</td><td colspan="3">refused: {escape(why)}</td></tr>'
        for name, why in field.refused.items()
    )
    return measured + refused


def _of_engine(name: str, runs: Sequence[Run]) -> str:
    at_least = "at least " if any(run.limited for run in runs) else ""
    rate = words.figure(middle([run.load.rate for run in runs if run.load]), "/s")
    cpu = words.seconds(middle([run.cpu_per_request or 0.0 for run in runs]))
    return (
        f'<td>{escape(name)}</td><td class="number">{at_least}{rate}</td><td class="number">{cpu}</td><td '
        f'class="number">{len(runs)}</td>'
    )
