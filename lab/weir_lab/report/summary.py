"""The result in sentences. Each follows from the figures and their intervals, and says no more than they prove."""

from collections import Counter
from collections.abc import Sequence
from html import escape

from weir_lab.core.target import is_floor
from weir_lab.report import tables
from weir_lab.report.figures import Figures, Ratio, is_weir, short
from weir_lab.report.standings import Standing, standings
from weir_lab.statistics import words


def html(figures: Figures) -> str:
    found = standings(figures)
    parts = [_paragraph(_scope(figures))]
    if not found:
        return "".join(parts) + _paragraph("No run counts, so the report makes no claim. “Refused” lists the reasons.")
    parts += [_paragraph(_most_often(found)), _paragraph(lab_error(figures)), _paragraph(drifted(figures))]
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
    "Every figure is the geometric mean of its rounds. Ratios are taken round by round. All ranges of one kind of work "
    "hold together with 95 % confidence: each pair of its targets was compared, so the range is wide enough for "
    "whichever pair looks best afterwards (Bonferroni's correction). A range is widened by the lab's own error, and by "
    "2 % at least. “Can't be told apart” means that the range contains 1: it is no win, and it does not mean that the "
    "two are equal."
)


def lab_error(figures: Figures) -> str:
    """The difference that the lab finds between a target and itself."""
    found = figures.controls()
    if not found:
        return (
            "The lab's own error is not known here: no target was measured twice under two names, with two rounds of "
            "each that count."
        )
    said = "; ".join(
        f"{short(cell.target)}, {cell.scenario}, {words.connections(cell.connections)}"
        f"{f' at {words.rate(cell.rate)}' if cell.rate else ''}: {words.times(one)[:-1]}, n = {one.count})"
        for cell, one in found
    )
    return f"The lab's own error: the same target, measured twice, should have a ratio of 1. {said}."


def drifted(figures: Figures) -> str:
    found = figures.drift
    if not found:
        return "Too few rounds of a floor or a control count to see a drift of the machine."
    said = (
        f"Drift: from its beginning to its end, requests cost the floor and the control {abs(found.change):.1%} "
        f"{'more' if found.change > 0 else 'less'} (Sen's slope of {found.rounds} rounds). "
    )
    chance = f"{found.chance:.0%}" if found.chance >= 0.01 else "less than 1 %"
    return said + f"The chance of such a trend without a drift is {chance} (Kendall's test)."


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
            f" In {words.count(limited, 'run')} the load generator was the limit: the CPU time counts, and the rate is "
            "only a lower bound."
        )
    return said + ("" if result.finished else " The experiment was interrupted: these are its finished runs.")


def _most_often(found: Sequence[Standing]) -> str:
    """Which architectures were told from all others, and how often. What can't be told is no win."""
    compared = [one for one in found if is_weir(one.best.target) and not one.alone]
    if len(compared) < 2:
        return ""
    wins = Counter(short(one.best.target) for one in compared if not one.ties and not one.unsure)
    of = f"Of {len(compared)} comparisons of weir's architectures, "
    if not wins:
        return f"{of}none has a winner: in each, the best can't be told apart from another one."
    return (
        f"{of}{sum(wins.values())} {'has' if sum(wins.values()) == 1 else 'have'} a winner: "
        + ", ".join(name if number == 1 else f"{name} in {number}" for name, number in wins.most_common())
        + "."
    )


def sentence(figures: Figures, one: Standing) -> str:
    """For a reader who sees no table."""
    best = figures.summary(one.best, one.measure.name)
    assert best
    where = words.scenario(one.group.scenario)
    said = (
        f"{where[0].upper()}{where[1:]}, {words.connections(one.connections)}{_around(one)}: "
        f"{_first(one)} {_did(one, words.figure(best.middle, one.measure.unit))} (n = {best.count})."
    )
    if one.unsure:
        said += f" Too few runs count to compare {words.names([short(cell.target) for cell in one.unsure])} with it."
    if one.floor and one.to_floor:
        said += f" {_floor(one, one.to_floor)}"
    return said + (f" {_peer(figures, one)}" if one.peer else "")


def _first(one: Standing) -> str:
    if not one.ties:
        return short(one.best.target)
    names = words.names([short(cell.target) for cell in one.ties])
    return f"no winner. {names} can't be told apart from {short(one.best.target)}, which"


def _did(one: Standing, value: str) -> str:
    if one.alone or one.ties or one.unsure:
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
    assert one.floor
    if not ratio.is_told:
        return f"It can't be told apart from the floor, {one.floor.target}, which doesn't parse."
    times = f"{words.ratio(ratio.middle)} times what {one.floor.target} needs ({words.interval(ratio.low, ratio.high)})"
    if ratio.middle < 1:
        return f"That is {times}: the floor doesn't parse, but makes more calls for this work."
    return f"That is {times}, which doesn't parse."


def _peer(figures: Figures, one: Standing) -> str:
    assert one.peer
    of_peer = figures.summary(one.peer, one.measure.name)
    value = words.of(of_peer, one.measure)
    if one.to_peer is None:
        return f"The best peer is {one.peer.target} with {value}; too few runs count to say by how much they differ."
    turned = one.to_peer.turned
    if not turned.is_told:
        return f"The best peer, {one.peer.target} with {value}, can't be told apart from it."
    better = (turned.middle > 1) == one.measure.less_is_better
    return (
        f"The best peer, {one.peer.target} with {value}, {'needs' if one.measure.name == 'cpu' else 'has'} "
        f"{words.ratio(turned.middle)} times as much "
        f"({words.interval(turned.low, turned.high)}){'' if better else ': the peer is better'}."
    )


def _table(figures: Figures, found: Sequence[Standing]) -> str:
    head = (
        "work",
        "best; those after it can't be told apart from it",
        "decided by",
        "figure",
        "n",
        "times the floor",
        "best peer",
        "times the best",
    )
    return tables.table("What was best for which work", head, [_row(figures, one) for one in found], 3, "short")


def _row(figures: Figures, one: Standing) -> str:
    names = f"<b>{escape(short(one.best.target))}</b>"
    if one.ties:
        names = f"no winner: {escape(words.names([short(cell.target) for cell in (one.best, *one.ties)]))}"
    elif one.unsure:
        unsure = words.names([short(cell.target) for cell in one.unsure])
        names = f"no winner: {escape(short(one.best.target))} is first, with too few runs of {escape(unsure)}"
    best = figures.summary(one.best, one.measure.name)
    assert best
    work = f"{words.scenario(one.group.scenario)}; {words.connections(one.connections)}{_around(one)}"
    of_peer = one.to_peer.turned if one.to_peer else None
    peer = _times(of_peer) if of_peer or not one.peer else "too few runs"
    figure = f"{words.of(best, one.measure)} {words.spread(best)}"
    best_peer = one.peer.target if one.peer else words.MISSING
    said = one.measure.title, figure, str(best.count), _times(one.to_floor), best_peer, peer
    return tables.row(work, tables.Html(names), *said, numbers=(3, 4, 5, 7))


def _times(ratio: Ratio | None) -> str:
    return words.times(ratio) if ratio else words.MISSING


def _memory(figures: Figures) -> str:
    """With the most connections of the plainest work."""
    plain = (cell for cell in figures.cells if cell.scenario == "keep-alive" and not is_floor(cell.target))
    cells = [cell for cell in plain if figures.summary(cell, "memory")]
    most = max((cell.connections for cell in cells), default=0)
    found = sorted(
        (one.middle, cell.target)
        for cell in cells
        if cell.connections == most and (one := figures.summary(cell, "memory"))
    )
    if most < 1000 or len({target for _, target in found}) < 2:
        return ""
    least, largest = found[0], found[-1]
    return (
        f"With {most:,} connections, resident memory is between {words.size(least[0])} ({short(least[1])}) and "
        f"{words.size(largest[0])} ({short(largest[1])})."
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


def _around(one: Standing) -> str:
    return words.workers(one.group.workers) + (f", at {words.rate(one.rate)}" if one.rate is not None else "")


def _paragraph(said: str) -> str:
    return f"<p>{escape(said)}</p>" if said else ""
