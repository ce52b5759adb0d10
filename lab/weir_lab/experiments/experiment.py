"""An experiment says what to measure. It is read from a TOML file that anyone can copy and change."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from weir_lab.core import families
from weir_lab.core.result import Cell
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.user_targets import brought
from weir_lab.user_targets.table import WrongTable
from weir_lab.user_targets.target import OwnTarget

HERE = Path(__file__).parent
NUMBERS = ("rounds", "rounds_max", "seconds", "width")  # of a matrix
OPEN_LOOP = ("rps", "oha")  # generators that keep a rate
QUICK_ROUNDS, QUICK_SECONDS = 2, 1.0
EVERY_ENGINE = "weir/*"  # among targets: each of weir's engines, simplest first
WORDS = ("rates_of",)  # its other members are lists


class BadExperiment(Exception):
    """Says in one line what is wrong with the file, and what is allowed there."""


@dataclass(frozen=True)
class Matrix:
    """Combines each of its members with each of the others."""

    targets: list[str]
    scenarios: list[str]
    connections: list[int] = field(default_factory=list)
    generators: list[str] = field(default_factory=lambda: ["wrk"])
    workers: list[int] = field(default_factory=lambda: [1])
    # Open loop at the same rates for all targets. With `rates_of` they are parts of what that target reaches in closed
    # loop, which the matrix then measures as well.
    rates: list[float] = field(default_factory=list)
    rates_of: str = ""
    rounds: int | None = None  # None: those of the experiment
    rounds_max: int | None = None
    width: float | None = None
    seconds: float | None = None

    def cells(self, capacities: Mapping[str, float]) -> list[Cell]:
        """Without those whose rate is not known yet."""
        # The target varies fastest, so that compared cells are measured close together in time.
        return [
            one
            for scenario, connections, generator, workers in itertools.product(
                self.scenarios, self.connections, self.generators, self.workers
            )
            for one in self._rows(Cell(scenario, connections, generator, "", workers), capacities)
        ]

    def _rows(self, empty: Cell, capacities: Mapping[str, float]) -> list[Cell]:
        if not self.rates:
            return [replace(empty, target=target) for target in self.targets]
        closed = [replace(empty, target=self.rates_of)] if self.rates_of else []
        capacity = capacities.get(closed[0].key) if closed else 1.0
        if capacity is None:
            return closed
        rates = [round_rate(part * capacity) if closed else part for part in self.rates]
        return closed + [
            replace(empty, target=target, rate=float(rate)) for rate in dict.fromkeys(rates) for target in self.targets
        ]


def round_rate(rate: float) -> float:
    """Two digits: a rate that is a part of another one is no exact figure."""
    return float(f"{rate:.2g}")


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    matrix: list[Matrix]
    rounds: int = 3
    seconds: float = 3.0  # of each run, after the warm-up
    warm_up_seconds: float = 0.5
    system_calls: bool = False  # adds a short run of each cell under strace
    # Rounds go on until each target's ratio to the first one of its row is known this well: 0.05 is 5 % to each side.
    width: float | None = None
    rounds_max: int | None = None  # None: three times `rounds`
    answers: bool = False  # the report begins with an answer: which engine for which load, and the limits
    text: str = ""
    target: list[OwnTarget] = field(default_factory=list)
    scenario: list[Scenario] = field(default_factory=list)

    def cells(self, capacities: Mapping[str, float] | None = None) -> list[Cell]:
        """All cells, each once, in the order of the file. `capacities`: those of Result, as far as they are known."""
        return list(self._matrices({} if capacities is None else capacities))

    def possible_cells(self) -> list[Cell]:
        """All cells that there may be: where a rate is a part of a capacity that is not known, it is that part."""
        return self.cells(_Unknown())

    def rounds_of(self, cell: Cell) -> int:
        return self._matrix_of(cell).rounds or self.rounds

    def rounds_max_of(self, cell: Cell) -> int:
        """As many as `rounds_of` if no width is asked for."""
        matrix, rounds = self._matrix_of(cell), self.rounds_of(cell)
        if self.width_of(cell) is None:
            return rounds
        return max(matrix.rounds_max or self.rounds_max or 3 * rounds, rounds)

    def width_of(self, cell: Cell) -> float | None:
        return self._matrix_of(cell).width or self.width

    def seconds_of(self, cell: Cell) -> float:
        return self._matrix_of(cell).seconds or self.seconds

    def shortened(self) -> Experiment:
        """To see that everything works."""
        return replace(
            self,
            title=f"{self.title} (a quick look)",
            rounds=QUICK_ROUNDS,
            rounds_max=None,
            width=None,
            seconds=QUICK_SECONDS,
            text=f"# A quick look: {QUICK_ROUNDS} rounds of {QUICK_SECONDS:g} s\n{self.text}",
            matrix=[replace(one, rounds=None, rounds_max=None, width=None, seconds=None) for one in self.matrix],
        )

    def capacity_cells(self) -> list[Cell]:
        """Those that rates are parts of."""
        return [cell for matrix in self.matrix if matrix.rates_of and matrix.rates for cell in matrix.cells({})]

    def _matrices(self, capacities: Mapping[str, float]) -> dict[Cell, Matrix]:
        """If two matrices have the same cell, the first one counts."""
        found: dict[Cell, Matrix] = {}
        for matrix in self.matrix:
            for cell in matrix.cells(capacities):
                found.setdefault(cell, matrix)
        return found

    def _matrix_of(self, cell: Cell) -> Matrix:
        """Of cells with a rate, the first matrix that has them apart from the rate's value, which may be a part."""
        return self._by_cell[cell if cell.rate is None else replace(cell, rate=0.0)]

    @cached_property
    def _by_cell(self) -> dict[Cell, Matrix]:
        found: dict[Cell, Matrix] = {}
        for cell, matrix in self._matrices(_Unknown()).items():
            found.setdefault(cell if cell.rate is None else replace(cell, rate=0.0), matrix)
        return found


class _Unknown(dict[str, float]):
    """Every capacity is 1, so that each rate is its own part."""

    def get(self, key: str, default: Any = None) -> float:
        return 1.0


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.toml"))


def read(name_or_path: str) -> Experiment:
    """Reads one of the built-in experiments by name, or any file."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = HERE / f"{name_or_path}.toml"
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except FileNotFoundError:
        raise BadExperiment(
            f"there is no experiment '{name_or_path}'; there are {', '.join(names())}, or any file.toml"
        ) from None
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadExperiment(f"{path}: {error}") from None
    return parse(path.stem, data, text, path.parent)


def answers(text: str) -> bool:
    """Whether the experiment of a result asks for an answer."""
    with contextlib.suppress(tomllib.TOMLDecodeError):
        return tomllib.loads(text).get("answers") is True
    return False


def recall(text: str) -> None:
    """Makes the scenarios known that the experiment of a result brought, for a report on it."""
    with contextlib.suppress(BadExperiment, tomllib.TOMLDecodeError):
        parse("result", tomllib.loads(text), text)


def parse(name: str, data: dict[str, object], text: str = "", folder: Path | None = None) -> Experiment:
    """Makes the targets and scenarios known that the file brings. Its relative folders begin at `folder`."""
    _reject_unknown(name, data, Experiment, {"name", "text"})
    try:
        found = brought.read(f"{name}.toml", data, folder or Path())
    except WrongTable as error:
        raise BadExperiment(str(error)) from None
    brought.bring(found)
    matrices = data.get("matrix")
    if not isinstance(matrices, list) or not matrices:
        raise BadExperiment(f"{name}: wants at least one [[matrix]] of targets, scenarios and connections")
    try:
        members: dict[str, Any] = data | {
            "name": name,
            "text": text,
            "target": found.targets,
            "scenario": found.scenarios,
            "matrix": [part for one in matrices for part in _spread(name, _matrix(name, one))],
        }
        experiment = Experiment(**members)
    except TypeError as error:
        raise BadExperiment(f"{name}: {error}") from None
    lengths = [getattr(one, key) for one in (experiment, *experiment.matrix) for key in NUMBERS]
    if experiment.warm_up_seconds < 0 or any(one is not None and one <= 0 for one in lengths):
        raise BadExperiment(f"{name}: {', '.join(NUMBERS[:-1])} and {NUMBERS[-1]} must be positive")
    return experiment


def _matrix(name: str, data: dict[str, object]) -> Matrix:
    _reject_unknown(f"{name}: matrix", data, Matrix, set())
    for key in ("targets", "scenarios"):
        if not data.get(key):
            raise BadExperiment(f"{name}: a matrix lacks {key}")
    for key, value in data.items():
        _check_member(name, key, value)
    matrix = Matrix(**data)  # type: ignore[arg-type]
    matrix = replace(matrix, targets=[each for target in matrix.targets for each in _engines(target)])
    for scenario in matrix.scenarios:
        if scenario not in SCENARIOS:
            raise BadExperiment(f"{name}: there is no scenario '{scenario}'; there are {', '.join(SCENARIOS)}")
        if not matrix.connections and not SCENARIOS[scenario].own_connections:
            raise BadExperiment(
                f"{name}: a matrix lacks connections, and the scenario '{scenario}' has none of its own"
            )
    for number in (*matrix.connections, *matrix.workers):
        if not isinstance(number, int) or number < 1:
            raise BadExperiment(f"{name}: connections and workers are whole numbers from 1")
    _check_rates(name, matrix)
    return matrix


def _engines(target: str) -> list[str]:
    return [f"weir/{engine}" for engine in families.ENGINES] if target == EVERY_ENGINE else [target]


def _spread(name: str, matrix: Matrix) -> list[Matrix]:
    """A matrix for each scenario, with the connections and the rates that the scenario has of its own."""
    found = []
    for scenario in (SCENARIOS[one] for one in matrix.scenarios):
        if scenario.own_rates and not {*matrix.generators} <= {*OPEN_LOOP}:
            raise BadExperiment(
                f"{name}: the scenario '{scenario.name}' has rates, so the generators of its matrix are "
                f'{" or ".join(OPEN_LOOP)}, as in generators = ["{OPEN_LOOP[0]}"]'
            )
        found.append(
            replace(
                matrix,
                scenarios=[scenario.name],
                connections=[*scenario.own_connections] or matrix.connections,
                rates=[*scenario.own_rates] or matrix.rates,
                rates_of="" if scenario.own_rates else matrix.rates_of,
            )
        )
    return found


def _check_member(name: str, key: str, value: object) -> None:
    if key in NUMBERS:
        if not isinstance(value, (int, float)):
            raise BadExperiment(f"{name}: {key} is a number, as in {key} = 5")
    elif key in WORDS:
        if not isinstance(value, str):
            raise BadExperiment(f'{name}: {key} is a name, as in {key} = "floor/epoll"')
    elif not isinstance(value, list):
        raise BadExperiment(f"{name}: {key} is a list, as in {key} = [{value!r}]")


def _check_rates(name: str, matrix: Matrix) -> None:
    if any(not isinstance(rate, (int, float)) or rate <= 0 for rate in matrix.rates):
        raise BadExperiment(f"{name}: rates are numbers above 0")
    if matrix.rates_of and not matrix.rates:
        raise BadExperiment(f"{name}: rates_of names what rates are parts of, and there are no rates")
    if matrix.rates and any(SCENARIOS[one].part_of_capacity is not None for one in matrix.scenarios):
        raise BadExperiment(f"{name}: a scenario that has a rate of its own takes no rates")


def _reject_unknown(where: str, data: dict[str, object], kind: Any, but: set[str]) -> None:
    known = {one.name for one in dataclasses.fields(kind)} - but
    for key in data:
        if key not in known:
            raise BadExperiment(f"{where}: '{key}' means nothing here; there are {', '.join(sorted(known))}")
