"""An experiment says what to measure. It is read from a TOML file that anyone can copy and change."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from weir_lab.own import brought
from weir_lab.own.table import WrongTable
from weir_lab.own.target import OwnTarget
from weir_lab.result import Cell
from weir_lab.scenario import SCENARIOS, Scenario

HERE = Path(__file__).parent / "experiments"
NUMBERS = ("rounds", "seconds")  # of a matrix; its other members are lists


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
    rounds: int | None = None  # None: those of the experiment
    seconds: float | None = None

    def cells(self) -> list[Cell]:
        # The target varies fastest, so that compared cells are measured close together in time.
        return [
            Cell(scenario, connections, generator, target, workers)
            for scenario in self.scenarios
            for connections, generator, workers, target in itertools.product(
                SCENARIOS[scenario].own_connections or self.connections, self.generators, self.workers, self.targets
            )
        ]


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    matrix: list[Matrix]
    rounds: int = 3
    seconds: float = 3.0  # of each run, after the warm-up
    warm_up_seconds: float = 0.5
    system_calls: bool = False  # adds a short run of each cell under strace
    text: str = ""
    target: list[OwnTarget] = field(default_factory=list)
    scenario: list[Scenario] = field(default_factory=list)

    def cells(self) -> list[Cell]:
        """All cells, each once, in the order in which a round measures them."""
        return list(self._matrices)

    def rounds_of(self, cell: Cell) -> int:
        return self._matrices[cell].rounds or self.rounds

    def seconds_of(self, cell: Cell) -> float:
        return self._matrices[cell].seconds or self.seconds

    @cached_property
    def _matrices(self) -> dict[Cell, Matrix]:
        """If two matrices have the same cell, the first one counts."""
        found: dict[Cell, Matrix] = {}
        for matrix in self.matrix:
            for cell in matrix.cells():
                found.setdefault(cell, matrix)
        return found


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
            "matrix": [_matrix(name, one) for one in matrices],
        }
        experiment = Experiment(**members)
    except TypeError as error:
        raise BadExperiment(f"{name}: {error}") from None
    lengths = [
        experiment.rounds,
        experiment.seconds,
        *(one for matrix in experiment.matrix for one in (matrix.rounds, matrix.seconds)),
    ]
    if experiment.warm_up_seconds < 0 or any(one is not None and one <= 0 for one in lengths):
        raise BadExperiment(f"{name}: rounds and seconds must be positive")
    return experiment


def _matrix(name: str, data: dict[str, object]) -> Matrix:
    _reject_unknown(f"{name}: matrix", data, Matrix, set())
    for key in ("targets", "scenarios"):
        if not data.get(key):
            raise BadExperiment(f"{name}: a matrix lacks {key}")
    for key, value in data.items():
        if key in NUMBERS:
            if not isinstance(value, (int, float)):
                raise BadExperiment(f"{name}: {key} is a number, as in {key} = 5")
        elif not isinstance(value, list):
            raise BadExperiment(f"{name}: {key} is a list, as in {key} = [{value!r}]")
    matrix = Matrix(**data)  # type: ignore[arg-type]
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
    return matrix


def _reject_unknown(where: str, data: dict[str, object], kind: Any, but: set[str]) -> None:
    known = {one.name for one in dataclasses.fields(kind)} - but
    for key in data:
        if key not in known:
            raise BadExperiment(f"{where}: '{key}' means nothing here; there are {', '.join(sorted(known))}")
