"""`weir-lab add NAME -- COMMAND`: tries a server, and writes the tables that bring it into an experiment."""

import json
import os
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from weir_lab.add.trial import FILE, Wrong, look
from weir_lab.core.result import Cell, Run
from weir_lab.core.scenario import Scenario
from weir_lab.experiments import experiment as experiments
from weir_lab.generators import GENERATORS
from weir_lab.running import runner
from weir_lab.running.measurement import Order, measure
from weir_lab.user_targets import brought
from weir_lab.user_targets import target as own_target
from weir_lab.user_targets.brought import Brought
from weir_lab.user_targets.table import NAME, Table, WrongTable
from weir_lab.user_targets.target import OwnTarget

LOAD_SECONDS = 2.0  # a connection that finds the listen queue full (Python's has 5 places) tries again after a second
WARM_UP_SECONDS, CONNECTIONS = 0.5, 10
GENERATOR_NAMES = ("wrk", "rps", "oha", "ab")  # the first one that is here
FLOOR = "floor/epoll"
TRIES = 2  # and one more, whose words count: the machine may be disturbed for a moment
OF_THE_MOMENT = ("the machine was disturbed", "the host took")  # refusals that say nothing about the server


@dataclass(frozen=True)
class Wanted:
    name: str
    command: Sequence[str]
    path: str = ""
    ready: str = ""
    cpu: str = "process"
    close: bool = False
    directory: Path = Path()
    to: Path | None = None


def add(wanted: Wanted, screen: Console) -> str:
    """Returns the tables. Raises WrongTable, or Wrong in the words of what was tried."""
    target = _target(wanted)
    _reject_taken(wanted)
    asked = look(target, _scenario(wanted), lambda words: screen.print(f"{wanted.name}: {words}"))
    shown = _load(target, asked, screen)
    screen.print(f"{wanted.name}: {shown}")
    text = tables(wanted, asked)
    if wanted.to:
        _write(wanted, text, asked)
    return text


def _target(wanted: Wanted) -> OwnTarget:
    if not NAME.fullmatch(wanted.name):
        raise WrongTable(f"the name is letters, digits, dots, dashes and underscores, not '{wanted.name}'")
    data: dict[str, object] = {"command": [*wanted.command], "ready": wanted.ready, "cpu": wanted.cpu}
    table = Table(f"target '{wanted.name}'", data)
    return own_target.parse(wanted.name, table, wanted.directory)


def _scenario(wanted: Wanted) -> Scenario:
    return Scenario(f"{wanted.name}-work", "what is tried", asks_for=wanted.path, keep_alive=not wanted.close)


def _reject_taken(wanted: Wanted) -> None:
    """Before the server is tried."""
    if wanted.to and wanted.to.exists():
        known = experiments.read(str(wanted.to))
        if wanted.name in [one.name for one in known.target]:
            raise Wrong(f"{wanted.to} has a target '{wanted.name}' already; take another name")


def _load(target: OwnTarget, scenario: Scenario, screen: Console) -> str:
    """What a little load showed. Raises Wrong."""
    generator = next((name for name in GENERATOR_NAMES if not GENERATORS[name].missing()), None)
    if generator is None:
        return f"not tried under load: {GENERATORS['wrk'].missing()}"
    screen.print(f"{target.name}: two seconds of load by {generator}, with {CONNECTIONS} connections")
    brought.bring(Brought([target], [scenario]))
    with tempfile.TemporaryDirectory(prefix="weir-lab-site-") as site:
        runner.write_files(Path(site), [scenario])
        cell = Cell(scenario.name, CONNECTIONS, generator, target.name, 1)
        order = Order(cell, 0, LOAD_SECONDS, WARM_UP_SECONDS, Path(site))
        runs = (measure(order) for _ in range(TRIES))
        run = next((one for one in runs if not one.refused), None) or measure(order)
    return _words(run)


def _words(run: Run) -> str:
    """Raises Wrong. Where other programs were at work, the server may not be the cause."""
    is_disturbed = any(words.startswith(OF_THE_MOMENT) for words in run.refused)
    if run.refused and not is_disturbed:
        raise Wrong(f"under load: {'; '.join(run.refused)}")
    if not run.load or run.cpu_per_request is None:
        raise Wrong("under load: no request was answered")
    disturbed = f"; measure again on a quiet machine: {'; '.join(run.refused)}" if is_disturbed else ""
    return f"{run.load.rate:,.0f} requests/s, {run.cpu_per_request * 1e6:,.1f} us of CPU for each{disturbed}"


def tables(wanted: Wanted, scenario: Scenario) -> str:
    lines = ["[[target]]", f"name = {_text(wanted.name)}", f"command = {_texts(wanted.command)}"]
    file = wanted.to.resolve().parent if wanted.to else Path.cwd()
    if (folder := os.path.relpath(wanted.directory.resolve(), file)) != ".":
        lines.append(f"directory = {_text(folder)}")
    if wanted.ready:
        lines.append(f"ready = {_text(wanted.ready)}")
    if wanted.cpu != "process":
        lines.append(f"cpu = {_text(wanted.cpu)}")
    if not _is_of_the_lab(scenario):
        lines += [
            "",
            "[[scenario]]",
            f"name = {_text(scenario.name)}",
            f"path = {_text(scenario.path)}",
            f"body_bytes = {scenario.body_bytes}",
        ]
        if not scenario.keep_alive:
            lines.append("keep_alive = false")
    return "\n".join(lines) + "\n"


def _is_of_the_lab(scenario: Scenario) -> bool:
    """The same work as a scenario of the lab: a file of 1 KB."""
    return (scenario.path, scenario.body_bytes) == (FILE.path, FILE.body_bytes)


def _write(wanted: Wanted, text: str, scenario: Scenario) -> None:
    """Appends, or begins an experiment that can be run as it stands."""
    assert wanted.to
    if wanted.to.exists():
        before = wanted.to.read_text(encoding="utf-8").rstrip("\n")
        made = f"{before}\n\n{text}"
    else:
        work = scenario.name if not _is_of_the_lab(scenario) else "keep-alive" if scenario.keep_alive else "close"
        made = (
            f'title = "{wanted.name} beside the floor"\nrounds = 3\nseconds = 2.0\n\n[[matrix]]\n'
            f"targets = {_texts([FLOOR, wanted.name])}\nscenarios = {_texts([work])}\nconnections = [10, 100]\n\n{text}"
        )
    tomllib.loads(made)  # what is written can be read
    wanted.to.write_text(made, encoding="utf-8")


def _text(value: str) -> str:
    """A text of JSON is one of TOML."""
    return json.dumps(value, ensure_ascii=False)


def _texts(values: Sequence[str]) -> str:
    return "[" + ", ".join(map(_text, values)) + "]"
