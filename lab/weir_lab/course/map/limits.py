"""The limits of this machine, in words: its CPU, the load generator, descriptors, the backlog, memory, and problems."""

from collections.abc import Iterator, Sequence

from weir_lab.core.result import Cell
from weir_lab.core.target import is_control
from weir_lab.many_connections import planning
from weir_lab.report import tables
from weir_lab.report.figures import ALL, Figures, is_weir, short
from weir_lab.statistics import words
from weir_lab.statistics.measures import Summary

BURST = 4096  # connections that come at once: weir's own backlog


def of(figures: Figures, limited: Sequence[bool]) -> Iterator[tuple[str, str]]:
    """`limited`: of each kind of work, whether the load generator was the limit."""
    machine = figures.result.machine
    yield "CPU", _cpu(figures)
    yield "generator", _generator(limited)
    if descriptors := machine.limits.get("descriptors"):
        room = planning.room(descriptors)
        more = "prefork as many in each worker. For more, as root: ulimit -Hn NUMBER."
        yield "descriptors", f"{descriptors:,} for a process: one of weir holds {room:,} connections, and {more}"
    if backlog := machine.limits.get("backlog"):
        fix = "" if backlog >= BURST else f" For more: sysctl -w net.core.somaxconn={BURST}."
        yield "backlog", f"{backlog:,} connections may wait to be accepted. More at once come a second later.{fix}"
    yield from _memory(figures)
    for check in machine.checks:
        if not check.fine:
            yield check.name, f"{check.found}. The fix: {check.advice}."


def _cpu(figures: Figures) -> str:
    cores = words.count(len(figures.result.machine.cores), "core")
    found = _of_plain(figures, "rate")
    rates = [(one.middle, cell, one) for cell, one in found if is_weir(cell.target) and not is_control(cell.target)]
    if not rates:
        return f"{cores}."
    _, cell, one = max(rates, key=lambda rate: rate[0])
    load = words.connections(cell.connections)
    return f"{cores}. On one, {short(cell.target)} answers {words.of(one, ALL['rate'])} of 1 KB, with {load}."


def _generator(limited: Sequence[bool]) -> str:
    if not any(limited):
        return "It was the limit of no kind of work."
    return (
        f"The load generator was the limit of {sum(limited)} of {words.count(len(limited), 'kind')} of work. There the "
        "CPU of a request decides, and a rate is a lower bound. More cores for the generator would show the rate."
    )


def _memory(figures: Figures) -> Iterator[tuple[str, str]]:
    """Of the first engine with figures enough."""
    slopes = tables.slopes(figures, [cell for cell, _ in _of_plain(figures, "memory")])
    for target, each in [one for one in slopes.items() if is_weir(one[0]) and one[1] > 0][:1]:
        of_kernel = "and some kilobytes of the kernel: ./run lab many-connections measures both."
        yield "memory", f"A connection takes {words.size(each)} of {short(target)}, {of_kernel}"


def _of_plain(figures: Figures, measure: str) -> list[tuple[Cell, Summary]]:
    cells = [cell for cell in figures.cells if cell.scenario == "keep-alive" and cell.rate is None]
    return [(cell, one) for cell in cells if (one := figures.summary(cell, measure))]
