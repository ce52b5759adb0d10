"""Runs an experiment from its first run to its last, in rounds (A B C, B C A), so that a drift of the machine affects
all alike. experiments/order.py says what comes next."""

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from weir_lab.core.result import Cell, Result, Run, now
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import is_other
from weir_lab.experiments import order
from weir_lab.experiments.experiment import Experiment
from weir_lab.experiments.order import Planned
from weir_lab.generators import GENERATORS
from weir_lab.running import machine, provenance
from weir_lab.running.measurement import Order, measure
from weir_lab.servers.placement import Placement
from weir_lab.statistics import drift
from weir_lab.targets import find as find_target

AROUND_SECONDS = 0.5  # to start and to stop, besides warm-up and the run itself
SEEDS = 1_000_000
TRACED_SECONDS = 1.0  # a longer run would not make a count of calls more exact
NO_CAPACITY = (
    "its capacity is not known: the experiment must contain keep-alive with as many connections and the same "
    "generator, and one such run must count"
)


class Observer(Protocol):
    """Shows the progress."""

    def begins(self, order: int, of: int, cell: Cell, round: int, next: Cell | None, seconds_left: float) -> None: ...

    def ended(self, run: Run) -> None: ...


def seconds_of(experiment: Experiment, runs: Sequence[Planned]) -> float:
    """A warm-up takes at least a second, because most generators take whole seconds only."""
    around = len(runs) * (max(experiment.warm_up_seconds, 1.0) + AROUND_SECONDS)
    return around + sum(_run_seconds(experiment, planned) for planned in runs)


def length(experiment: Experiment) -> tuple[float, float]:
    """In seconds: the shortest, and the longest if no row becomes narrow enough before its last round."""
    return seconds_of(experiment, order.at_least(experiment)), seconds_of(experiment, order.at_most(experiment))


def _run_seconds(experiment: Experiment, planned: Planned) -> float:
    return TRACED_SECONDS if planned.traced else experiment.seconds_of(planned.cell)


def start(experiment: Experiment, seed: int | None = None) -> Result:
    """A result without runs: the machine, the versions, the text. With the same `seed`, the runs have the same
    order."""
    cells = experiment.possible_cells()
    has_proxies = any(SCENARIOS[cell.scenario].proxied for cell in cells)
    most = max(cell.connections + SCENARIOS[cell.scenario].idle_connections for cell in cells)
    return Result(
        title=experiment.title,
        experiment=experiment.text,
        started=now(),
        machine=machine.describe(most),
        versions=_versions(cells),
        placement="; ".join(
            f"{count} workers: {Placement.of(count, has_proxies).words()}"
            if count > 1
            else Placement.of(count, has_proxies).words()
            for count in sorted({cell.workers for cell in cells})
        ),
        weir=provenance.of_weir() if _measures_weir(cells) else None,
        about={name: find_target(name).summary for name in sorted({cell.target for cell in cells})},
        seed=random.SystemRandom().randrange(SEEDS) if seed is None else seed,
    )


def can_continue(experiment: Experiment, result: Result) -> bool:
    """Whether it is an interrupted run of the same experiment, with the same weir, and the same other one."""
    if result.experiment != experiment.text or result.finished is not None:
        return False
    weir = provenance.of_weir() if _measures_weir(experiment.possible_cells()) else None
    others = [(find_target(name), version) for name, version in result.versions.items() if is_other(name)]
    return (weir and weir.sha256) == (result.weir and result.weir.sha256) and all(
        (one.missing() or one.version()) == version for one, version in others
    )


def _measures_weir(cells: list[Cell]) -> bool:
    return any(cell.target.startswith(("weir/", "program/")) for cell in cells)


def run(experiment: Experiment, result: Result, path: Path, observer: Observer) -> None:
    """Continues where `result` stopped. Saves after each run, so that an interrupt loses one run at most."""
    machine.raise_descriptor_limit()
    done = 0
    with tempfile.TemporaryDirectory(prefix="weir-lab-site-") as site:
        write_files(Path(site), [SCENARIOS[cell.scenario] for cell in experiment.possible_cells()])
        while left := _left(experiment, result):
            planned, following = left[0], left[1].cell if len(left) > 1 else None
            observer.begins(
                done + 1, done + len(left), planned.cell, planned.round, following, seconds_of(experiment, left)
            )
            one = _measure(experiment, result, planned, Path(site))
            result.runs.append(one)
            result.save(path)
            observer.ended(one)
            done += 1
    result.finished = now()
    result.save(path)


def _left(experiment: Experiment, result: Result) -> list[Planned]:
    """Refuses rounds that drifted when all are there; others may have to take their place."""
    order.fix_rates(experiment, result)
    if left := _can_begin(experiment, result):
        return left
    return _can_begin(experiment, result) if drift.refuse(result) else []


def _can_begin(experiment: Experiment, result: Result) -> list[Planned]:
    not_begun = {one.cell for one in result.runs if did_not_begin(one)}
    return [one for one in order.left(experiment, result) if one.cell not in not_begun]


def did_not_begin(run: Run) -> bool:
    """It did not even begin, and would not begin the next time either."""
    return run.server is None and run.load is None and bool(run.refused)


def _measure(experiment: Experiment, result: Result, planned: Planned, site: Path) -> Run:
    cell = planned.cell
    part = SCENARIOS[cell.scenario].part_of_capacity
    rate = cell.rate
    if part is not None:
        capacity = order.capacity_of(result, cell)
        if capacity is None:
            return Run(cell, planned.round, now(), None, None, refused=[NO_CAPACITY])
        rate = capacity * part
    seconds = _run_seconds(experiment, planned)
    return measure(
        Order(cell, planned.round, seconds, experiment.warm_up_seconds, site, rate=rate, traced=planned.traced)
    )


def write_files(site: Path, scenarios: list[Scenario]) -> None:
    """Those that the scenarios ask for."""
    large = [SCENARIOS["file-10m"]] if any(scenario.slow_readers for scenario in scenarios) else []
    by_file = {scenario.file: scenario for scenario in (*scenarios, *large)}
    for scenario in by_file.values():
        for name, content in scenario.files().items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_bytes(content)


def _versions(cells: list[Cell]) -> dict[str, str]:
    found = {}
    for name in sorted({cell.target for cell in cells}):
        target = find_target(name)
        found[name] = target.missing() or target.version()
    for name in sorted({cell.generator for cell in cells}):
        generator = GENERATORS[name]
        found[name] = generator.missing() or generator.version()
    return found
