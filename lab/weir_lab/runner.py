"""Runs an experiment from its first run to its last, in rounds (A B C, A B C), so that a drift of the machine affects
all alike."""

from __future__ import annotations

import datetime
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from weir_lab import machine, provenance
from weir_lab.experiment import Experiment
from weir_lab.generators import GENERATORS
from weir_lab.measurement import Order, measure
from weir_lab.placement import Placement
from weir_lab.result import Cell, Result, Run
from weir_lab.scenario import SCENARIOS, Scenario
from weir_lab.targets import find as find_target
from weir_lab.validity import is_short_of_rate

AROUND_SECONDS = 0.5  # to start and to stop, besides warm-up and the run itself
TRACED_SECONDS = 1.0  # a longer run would not make a count of calls more exact
NO_CAPACITY = (
    "its capacity is not known: the experiment must contain keep-alive with as many connections and the same "
    "generator, and one such run must count"
)


class Observer(Protocol):
    """Shows the progress."""

    def begins(self, order: int, of: int, cell: Cell, round: int, next: Cell | None, seconds_left: float) -> None: ...

    def ended(self, run: Run) -> None: ...


@dataclass(frozen=True)
class Planned:
    cell: Cell
    round: int
    traced: bool = False


def plan(experiment: Experiment) -> list[Planned]:
    """Each round begins its groups with another target, because the first one finds the machine cooler. Rounds that
    only some cells have come last."""
    cells = experiment.cells()
    found = []
    for number in range(max(map(experiment.rounds_of, cells))):
        for group in _groups([cell for cell in cells if number < experiment.rounds_of(cell)]):
            turn = number % len(group)
            found += [Planned(cell, number) for cell in group[turn:] + group[:turn]]
    return found + ([Planned(cell, 0, traced=True) for cell in cells] if experiment.system_calls else [])


def _groups(cells: list[Cell]) -> Iterator[list[Cell]]:
    """Cells that differ only in their target are measured one after the other. A latency run needs a capacity, so it
    comes after the run that finds it."""
    groups: dict[tuple[str, int, str, int], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.scenario, cell.connections, cell.generator, cell.workers), []).append(cell)
    yield from sorted(groups.values(), key=lambda group: SCENARIOS[group[0].scenario].part_of_capacity is not None)


def seconds_of(experiment: Experiment, runs: list[Planned]) -> float:
    """A warm-up takes at least a second, because most generators take whole seconds only."""
    around = len(runs) * (max(experiment.warm_up_seconds, 1.0) + AROUND_SECONDS)
    return around + sum(_run_seconds(experiment, planned) for planned in runs)


def _run_seconds(experiment: Experiment, planned: Planned) -> float:
    return TRACED_SECONDS if planned.traced else experiment.seconds_of(planned.cell)


def start(experiment: Experiment) -> Result:
    """A result without runs: the machine, the versions, the text."""
    cells = experiment.cells()
    most = max(cell.connections + SCENARIOS[cell.scenario].idle_connections for cell in cells)
    return Result(
        title=experiment.title,
        experiment=experiment.text,
        started=_now(),
        machine=machine.describe(most),
        versions=_versions(cells),
        placement="; ".join(
            f"{count} workers: {Placement.of(count).words()}" if count > 1 else Placement.of(count).words()
            for count in sorted({cell.workers for cell in cells})
        ),
        weir=provenance.of_weir() if _measures_weir(cells) else None,
        about={name: find_target(name).summary for name in sorted({cell.target for cell in cells})},
    )


def can_continue(experiment: Experiment, result: Result) -> bool:
    """Whether it is an interrupted run of the same experiment, with the same weir."""
    if result.experiment != experiment.text or result.finished is not None:
        return False
    now = provenance.of_weir() if _measures_weir(experiment.cells()) else None
    return (now and now.sha256) == (result.weir and result.weir.sha256)


def _measures_weir(cells: list[Cell]) -> bool:
    return any(cell.target.startswith("weir/") for cell in cells)


def run(experiment: Experiment, result: Result, path: Path, observer: Observer) -> None:
    """Continues where `result` stopped. Saves after each run, so that an interrupt loses one run at most."""
    machine.raise_descriptor_limit()
    done = {Planned(one.cell, one.round, one.traced) for one in result.runs}
    left = [one for one in plan(experiment) if one not in done]
    not_begun = {one.cell for one in result.runs if did_not_begin(one)}
    with tempfile.TemporaryDirectory(prefix="weir-lab-site-") as site:
        write_files(Path(site), [SCENARIOS[cell.scenario] for cell in experiment.cells()])
        for number, planned in enumerate(left):
            following = left[number + 1].cell if number + 1 < len(left) else None
            observer.begins(
                number + 1, len(left), planned.cell, planned.round, following, seconds_of(experiment, left[number:])
            )
            if planned.cell in not_begun:
                continue
            one = _measure(experiment, result, planned, Path(site))
            if did_not_begin(one):
                not_begun.add(planned.cell)
            result.runs.append(one)
            result.save(path)
            observer.ended(one)
    result.finished = _now()
    result.save(path)


def did_not_begin(run: Run) -> bool:
    """It did not even begin, and would not begin the next time either."""
    return run.server is None and run.load is None and bool(run.refused)


def _measure(experiment: Experiment, result: Result, planned: Planned, site: Path) -> Run:
    cell = planned.cell
    order = Order(
        cell, planned.round, _run_seconds(experiment, planned), experiment.warm_up_seconds, site, traced=planned.traced
    )
    part = SCENARIOS[cell.scenario].part_of_capacity
    if part is None:
        return measure(order)
    capacity = capacity_of(result, cell)
    if capacity is None:
        return Run(cell, planned.round, _now(), None, None, refused=[NO_CAPACITY])
    return measure(Order(**(vars(order) | {"rate": capacity * part})))


def capacity_of(result: Result, cell: Cell) -> float | None:
    """The rate that the same generator reached on the same target in closed loop, or a lower one that an open loop fell
    short of. If the generator is slower than the server, this is its own capacity."""
    closed = replace(cell, scenario="keep-alive")
    reached = [one.load.rate for one in result.runs if one.load and not one.refused and one.cell == closed]
    came_short = [
        one.load.rate
        for one in result.runs
        if one.load
        and is_short_of_rate(one)
        and len(one.refused) == 1
        and replace(one.cell, scenario="keep-alive") == closed
    ]
    return min([max(reached), *came_short]) if reached else None


def write_files(site: Path, scenarios: list[Scenario]) -> None:
    """Bytes that cannot be compressed, the same in every run."""
    sizes = {scenario.file: scenario.body_bytes for scenario in scenarios}
    if any(scenario.slow_readers for scenario in scenarios):
        large = SCENARIOS["file-10m"]
        sizes[large.file] = large.body_bytes
    for name, size in sizes.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(random.Random(size).randbytes(size))


def _versions(cells: list[Cell]) -> dict[str, str]:
    found = {}
    for name in sorted({cell.target for cell in cells}):
        target = find_target(name)
        found[name] = target.missing() or target.version()
    for name in sorted({cell.generator for cell in cells}):
        generator = GENERATORS[name]
        found[name] = generator.missing() or generator.version()
    return found


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
