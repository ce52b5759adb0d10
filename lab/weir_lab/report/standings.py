"""What was best for which work: for each kind of work the best target, those that can't be told apart from it, the best
of the others, and the floor."""

from dataclasses import dataclass

from weir_lab.core.result import Cell
from weir_lab.core.target import is_control, is_floor
from weir_lab.report import rated
from weir_lab.report.figures import ALL, Figures, Group, Ratio, deciding, is_weir
from weir_lab.report.plots import groups_to_draw, typical
from weir_lab.statistics.measures import Measure


@dataclass(frozen=True)
class Standing:
    """The best at one kind of work with one count of connections."""

    group: Group
    connections: int
    rate: float | None  # the same for all; None: closed loop, or a rate that each target has for itself
    measure: Measure
    best: Cell  # the first in the order of the means; only with no ties is it told from all others
    ties: tuple[Cell, ...]  # of the same camp, and not told apart from it
    unsure: tuple[Cell, ...]  # with too few runs for a comparison
    alone: bool  # the only one of its camp
    peer: Cell | None  # the best of the other camp
    to_peer: Ratio | None  # the best divided by that peer
    to_floor: Ratio | None
    floor: Cell | None


def standings(figures: Figures) -> list[Standing]:
    """One for each kind of work. The plainest kind has another one with the most connections. Work at fixed rates has
    one at the lowest rate and one at the highest."""
    found = []
    for group in groups_to_draw(figures):
        counts = [typical(figures, group)]
        most = max(cell.connections for cell in figures.in_group(group))
        counts += [most] if most >= 10 * counts[0] else []
        found += [one for connections in counts if (one := _standing(figures, group, connections))]
    for group in rated.groups(figures):
        rates = sorted({cell.rate or 0.0 for cell in figures.in_group(group)})
        found += [one for rate in (rates[0], rates[-1]) if (one := _standing(figures, group, group.connections, rate))]
    return found


def _standing(figures: Figures, group: Group, connections: int | None, rate: float | None = None) -> Standing | None:
    row = [cell for cell in figures.in_group(group) if (cell.connections, cell.rate) == (connections, rate)]
    cells = [cell for cell in row if not is_floor(cell.target) and not is_control(cell.target)]
    measure = ALL[deciding(row[0])]
    own = [cell for cell in cells if is_weir(cell.target)] or cells
    best = figures.best(own, measure.name)
    if best is None:
        return None
    ratios = {
        cell: figures.ratio(cell, best, measure.name)
        for cell in own
        if cell != best and _is_known(figures, cell, measure)
    }
    peer = figures.best((cell for cell in cells if cell not in own), measure.name)
    floor = figures.floor(best, measure.name)
    return Standing(
        group,
        best.connections,
        rate,
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


def _is_known(figures: Figures, cell: Cell, measure: Measure) -> bool:
    found = figures.summary(cell, measure.name)
    return found is not None and not found.bound
