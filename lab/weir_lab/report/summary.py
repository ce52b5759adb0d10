"""The result in sentences. Each follows from the figures and their intervals, and says no more than they prove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from weir_lab.report import words
from weir_lab.report.figures import ALL, Figures, Group, Ratio, is_floor, is_weir, leading_measure, short
from weir_lab.report.plots import groups_to_draw, typical
from weir_lab.result import Cell
from weir_lab.statistics import Measure


@dataclass(frozen=True)
class Standing:
    """The best at one kind of work with one count of connections."""

    group: Group
    connections: int
    measure: Measure
    best: Cell
    ties: tuple[Cell, ...]  # of the same camp, and not significantly worse
    unsure: tuple[Cell, ...]  # with too few runs for a comparison
    alone: bool  # the only one of its camp
    peer: Cell | None  # the best of the other camp
    to_peer: Ratio | None  # the best divided by that peer
    to_floor: Ratio | None
    floor: Cell | None


def standings(figures: Figures) -> list[Standing]:
    """One for each kind of work. The plainest kind has another one with the most connections."""
    found = []
    for group in groups_to_draw(figures):
        counts = [typical(figures, group)]
        most = max(cell.connections for cell in figures.in_group(group))
        counts += [most] if most >= 10 * counts[0] else []
        found += [one for connections in counts if (one := _standing(figures, group, connections))]
    return found


def _standing(figures: Figures, group: Group, connections: int) -> Standing | None:
    measure = ALL[leading_measure(group.scenario)]
    cells = [cell for cell in figures.in_group(group) if cell.connections == connections and not is_floor(cell.target)]
    own = [cell for cell in cells if is_weir(cell.target)] or cells
    best = figures.best(own, measure.name)
    if best is None:
        return None
    ratios = {
        cell: figures.ratio(cell, best, measure.name)
        for cell in own
        if cell != best and figures.summary(cell, measure.name)
    }
    peer = figures.best((cell for cell in cells if cell not in own), measure.name)
    floor = figures.floor(best, measure.name)
    return Standing(
        group,
        connections,
        measure,
        best,
        tuple(cell for cell, one in ratios.items() if one and not one.is_told),
        tuple(cell for cell, one in ratios.items() if one is None),
        not ratios,
        peer,
        figures.ratio(best, peer, measure.name) if peer else None,
        figures.ratio(best, floor, measure.name) if floor else None,
        floor,
    )


def html(figures: Figures) -> str:
    found = standings(figures)
    parts = [_paragraph(_scope(figures))]
    if not found:
        return "".join(parts) + _paragraph("No run counts, so the report makes no claim. “Refused” lists the reasons.")
    parts.append(_paragraph(_most_often(found)))
    parts.append(_table(figures, found))
    parts.append(_sentences(figures, found[:SENTENCES_MAX]))
    if more := found[SENTENCES_MAX:]:
        parts.append(
            f"<details><summary>The other {len(more)} in sentences</summary>{_sentences(figures, more)}</details>"
        )
    parts += [
        _paragraph(one) for one in (_memory(figures), _nothing_counts(figures), CONFIDENCE, _few_rounds(figures)) if one
    ]
    return "".join(parts)


SENTENCES_MAX = 6  # shown at once; the table above has all, and the rest is folded

CONFIDENCE = (
    "Ranges in parentheses hold with 95 % confidence each. They come from ratios taken round by round, and are never "
    "narrower than 2 % to each side. “Can't be told apart” means that the range contains 1, not that the two are equal."
)


def _sentences(figures: Figures, found: Sequence[Standing]) -> str:
    return '<ul class="sentences">' + "".join(f"<li>{escape(sentence(figures, one))}</li>" for one in found) + "</ul>"


def _scope(figures: Figures) -> str:
    result, runs = figures.result, figures.result.runs
    targets, scenarios = {run.cell.target for run in runs}, {run.cell.scenario for run in runs}
    refused = len(figures.refused())
    said = (
        f"{words.count(len(targets), 'target')} at {words.count(len(scenarios), 'kind')} of work, "
        f"{words.count(len(runs), 'run')}, on {result.machine.processor} "
        f"({words.count(len(result.machine.cores), 'core')}). "
    )
    were = f"{words.count(refused, 'run was', 'runs were')} refused, and no figure here includes them."
    said += were if refused else "Every run counts."
    if limited := len(figures.limited()):
        said += (
            f" In {words.count(limited, 'run')} the generator set the pace: there the server's CPU counts, and rate "
            "and latency don't."
        )
    return said + ("" if result.finished else " The experiment was interrupted: these are its finished runs.")


def _most_often(found: Sequence[Standing]) -> str:
    """The architecture that is among the best in the most kinds of work."""
    compared = [one for one in found if is_weir(one.best.target) and not one.alone]
    if len(compared) < 2:
        return ""
    named = {cell.target for one in compared for cell in (one.best, *one.ties)}
    times = {
        target: sum(any(cell.target == target for cell in (one.best, *one.ties)) for one in compared)
        for target in sorted(named)
    }
    most = max(times.values())
    winners = [short(target) for target, number in times.items() if number == most]
    every = "all" if most == len(compared) else f"{most} of"
    return (
        f"Among the best, or too close to tell apart, in {every} {len(compared)} comparisons of weir's architectures: "
        f"{words.names(winners)}."
    )


def sentence(figures: Figures, one: Standing) -> str:
    """For a reader who sees no table."""
    best = figures.summary(one.best, one.measure.name)
    assert best
    where = words.scenario(one.group.scenario)
    said = (
        f"{where[0].upper()}{where[1:]}, {words.connections(one.connections)}{_workers(one.group)}: "
        f"{short(one.best.target)} {_did(one, words.figure(best.median, one.measure.unit))}"
    )
    if one.ties:
        said += f", and {words.names([short(cell.target) for cell in one.ties])} can't be told apart from it"
    said += "."
    if one.unsure:
        said += f" Too few runs count to compare {words.names([short(cell.target) for cell in one.unsure])} with it."
    if one.floor and one.to_floor:
        said += f" {_floor(one, one.to_floor)}"
    return said + (f" {_peer(figures, one)}" if one.peer else "")


def _did(one: Standing, value: str) -> str:
    if one.alone:
        return {
            "cpu": f"needs {value} of server CPU a request",
            "rate": f"answers {value}",
            "p99": f"answers 99 % within {value}",
        }[one.measure.name]
    return {
        "cpu": f"needs the least server CPU of the architectures, {value} a request",
        "rate": f"answers the most requests, {value}",
        "p99": f"has the shortest tail, 99 % within {value}",
    }[one.measure.name]


def _floor(one: Standing, ratio: Ratio) -> str:
    if not ratio.is_told:
        return (
            f"It can't be told apart from the floor ({one.floor.target if one.floor else ''}), which doesn't even "
            "parse."
        )
    return f"That is {words.ratio(ratio.middle)} times the floor's ({words.interval(ratio.low, ratio.high)})."


def _peer(figures: Figures, one: Standing) -> str:
    assert one.peer
    of_peer = figures.summary(one.peer, one.measure.name)
    value = words.of(of_peer, one.measure)
    if one.to_peer is None:
        return f"The best peer is {one.peer.target} with {value}; too few runs count to say by how much they differ."
    turned = Ratio(1 / one.to_peer.middle, 1 / one.to_peer.high, 1 / one.to_peer.low)
    if not turned.is_told:
        return f"The best peer, {one.peer.target} with {value}, can't be told apart from it."
    better = (turned.middle > 1) == one.measure.less_is_better
    return (
        f"The best peer, {one.peer.target} with {value}, {'needs' if one.measure.name == 'cpu' else 'has'} "
        f"{words.ratio(turned.middle)} times as much "
        f"({words.interval(turned.low, turned.high)}){'' if better else ': the peer is better'}."
    )


def _table(figures: Figures, found: Sequence[Standing]) -> str:
    rows = "".join(_row(figures, one) for one in found)
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Which architecture was best for which work">'
        '<table class="short">'
        "<caption>Which architecture was best for which work</caption><thead><tr>"
        '<th scope="col">work</th><th scope="col">best, and those that can\'t be told apart from it</th><th '
        'scope="col">decided by</th>'
        '<th scope="col" class="number">figure</th><th scope="col" class="number">times the floor</th><th '
        'scope="col">best peer</th>'
        f'<th scope="col" class="number">times the best</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(figures: Figures, one: Standing) -> str:
    names = words.names([short(cell.target) for cell in (one.best, *one.ties)])
    peer, peer_times = (one.peer.target, "too few runs") if one.peer else (words.MISSING, words.MISSING)
    if one.to_peer:
        peer_times = (
            f"{words.ratio(1 / one.to_peer.middle)} ({words.interval(1 / one.to_peer.high, 1 / one.to_peer.low)})"
        )
    floor = (
        f"{words.ratio(one.to_floor.middle)} ({words.interval(one.to_floor.low, one.to_floor.high)})"
        if one.to_floor
        else words.MISSING
    )
    value = words.of(figures.summary(one.best, one.measure.name), one.measure)
    work = f"{words.scenario(one.group.scenario)}; {words.connections(one.connections)}{_workers(one.group)}"
    return (
        f'<tr><th scope="row">{escape(work)}</th><td><b>{escape(names)}</b></td><td>{escape(one.measure.title)}</td>'
        '<td class="number">'
        f"{value}</td>"
        f'<td class="number">{floor}</td><td>{escape(peer)}</td><td class="number">{peer_times}</td></tr>'
    )


def _memory(figures: Figures) -> str:
    """With the most connections of the plainest work."""
    plain = (cell for cell in figures.cells if cell.scenario == "keep-alive" and not is_floor(cell.target))
    cells = [cell for cell in plain if figures.summary(cell, "memory")]
    most = max((cell.connections for cell in cells), default=0)
    found = sorted(
        (one.median, cell.target)
        for cell in cells
        if cell.connections == most and (one := figures.summary(cell, "memory"))
    )
    if most < 1000 or len({target for _, target in found}) < 2:
        return ""
    least, largest = found[0], found[-1]
    return (
        f"With {most:,} connections, resident memory is between {words.size(least[0])} ({short(least[1])}) and "
        f"{words.size(largest[0])} ({short(largest[1])}), medians."
    )


def _nothing_counts(figures: Figures) -> str:
    found = [cell for cell in figures.cells if figures.runs(cell) and not figures.counted(cell)]
    if not found:
        return ""
    rows = words.names(
        [f"{short(cell.target)} ({cell.scenario}, {words.connections(cell.connections)})" for cell in found[:6]]
    )
    more = f", and {len(found) - 6} more," if len(found) > 6 else ""
    return (
        f"No run counts of {rows}{more} so the report makes no claim about them; “Refused” lists the reasons.".replace(
            ") so", "), so"
        )
    )


def _few_rounds(figures: Figures) -> str:
    rounds = max(len(figures.counted(cell)) for cell in figures.cells)
    return "" if rounds > 2 else "There are two rounds at most, so the ranges are wide. More rounds make them narrower."


def _workers(group: Group) -> str:
    return f", {group.workers} workers" if group.workers > 1 else ""


def _paragraph(said: str) -> str:
    return f"<p>{escape(said)}</p>" if said else ""
