"""The command weir-lab."""

from __future__ import annotations

import datetime
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from weir_lab import crowd as crowds
from weir_lab import crowd_machine, crowd_result, machine, replay, report, runner, statistics
from weir_lab import experiment as experiments
from weir_lab.crowd_clients import ClientEnded
from weir_lab.crowd_progress import CrowdProgress
from weir_lab.generators import GENERATORS
from weir_lab.progress import Progress
from weir_lab.result import Machine, Result
from weir_lab.scenario import SCENARIOS
from weir_lab.server_process import DidNotStart
from weir_lab.targets import UnknownTarget
from weir_lab.targets import find as find_target
from weir_lab.targets import names as target_names
from weir_lab.targets.weir import WITH_LOG, Weir

INTERRUPTED = 130  # 128 + SIGINT, as shells have it

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="rich",
                  help="Measures every architecture of weir, and its peers, on this machine; refuses figures that can't be true.")
screen = Console(stderr=True, highlight=False)

Out = Annotated[Path, typer.Option("--out", "-o", help="Folder for results.")]


def fail(words: str) -> NoReturn:
    screen.print(f"weir-lab: {words}", style="red", markup=False)
    raise typer.Exit(1)


@app.command()
def run(
    name: Annotated[str, typer.Argument(metavar="EXPERIMENT", help="One of `weir-lab list`, or a file.toml of your own.")] = "default",
    quick: Annotated[bool, typer.Option("--quick", help="The experiment `quick`: two minutes.")] = False,
    out: Out = Path("results"),
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew, even where an interrupted run could go on.")] = False,
) -> None:
    """Runs an experiment and leaves result.json and report.html. Ctrl-C keeps what is done; the next run goes on there."""
    try:
        experiment = experiments.read("quick" if quick else name)
        check_names(experiment)
    except experiments.BadExperiment as error:
        fail(str(error))
    path, result = find_interrupted(out, experiment) if not fresh else (None, None)
    if path is None or result is None:
        path = new_folder(out) / "result.json"
        result = runner.start(experiment)
    else:
        screen.print(f"going on with {path}: {len(result.runs)} runs are done")
    show_checks(result.machine)
    try:
        with Progress(screen) as progress:
            runner.run(experiment, result, path, progress)
    except KeyboardInterrupt:
        finish(result, path)
        screen.print("interrupted: what is done is kept, and the same command goes on with it")
        raise typer.Exit(INTERRUPTED) from None
    finish(result, path)


def finish(result: Result, path: Path) -> None:
    if not result.runs:
        return
    page = path.with_name("report.html")
    report.write(result, page)
    refused = sum(bool(one.refused) for one in result.runs)
    screen.print(f"{len(result.runs)} runs, {refused} refused; {page}")


@app.command(name="replay")
def replay_seed(
    seed: Annotated[str, typer.Argument(help="seed0 to seed4: the earlier system whose measurement is made again.")],
    out: Out = Path("results"),
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs than the seed's own.")] = False,
) -> None:
    """Makes a seed's own measurement again: its command line, its figure, ours, and why they differ."""
    if seed not in replay.names():
        fail(f"there is no replay '{seed}'; there are {', '.join(replay.names())}")
    replay.run(seed, new_folder(out), quick, screen)


@app.command()
def crowd(
    connections: Annotated[int, typer.Option(min=1, help="As many as there are in the end.")] = 100_000,
    engine: Annotated[str, typer.Option(help="`prefork` has several processes, each with descriptors of its own.")] = crowd_machine.SEVERAL_PROCESSES,
    workers: Annotated[int | None, typer.Option(min=1, help="As many as it takes, unless given.")] = None,
    at_once: Annotated[int, typer.Option(min=1, help="Requests under way while each connection is asked on.")] = 100,
    out: Out = Path("results"),
) -> None:
    """Opens very many connections to one weir, in steps: what each takes of memory, and whether every one is still answered. Leaves crowd.json."""
    if missing := Weir(engine).missing():
        fail(missing)
    try:
        plan = crowd_machine.plan(connections, engine, workers, at_once)
    except crowd_machine.CannotHold as error:
        fail(str(error))
    if off := [check for check in crowd_machine.checks(plan) if not check.fine]:
        fail("this machine has no room for that: " + "; ".join(f"{check.name}: {check.found} ({check.advice})" for check in off))
    path = new_folder(out) / "crowd.json"
    try:
        with CrowdProgress(screen, plan) as progress:
            found = crowds.run(plan, path, progress)
    except (DidNotStart, ClientEnded) as error:
        fail(str(error))
    except KeyboardInterrupt:
        screen.print(f"interrupted; the steps that were done are in {path}" if path.exists() else "interrupted", markup=False)
        raise typer.Exit(INTERRUPTED) from None
    show_crowd(found, path)


def show_crowd(found: crowd_result.Crowd, path: Path) -> None:
    show_checks(found.machine)
    Console().print(crowd_result.table(found))
    for line in crowd_result.flatness(found.steps):
        screen.print(line)
    screen.print(str(path))
    problems = found.problems()
    for line in problems:
        screen.print(line, style="red", markup=False)
    if problems:
        raise typer.Exit(1)


@app.command()
def compare(
    a: Annotated[Path, typer.Argument(help="result.json, or its folder: what was before.")],
    b: Annotated[Path, typer.Argument(help="And what is now.")],
    page: Annotated[Path | None, typer.Option("--html", help="Writes it as a page as well.")] = None,
) -> None:
    """Says of each row whether B is faster, slower, or can't be told from A, with an interval."""
    before, now = load(a), load(b)
    Console().print(report.compare_table(before, now))
    if page:
        report.write_comparison(before, now, page)


@app.command(name="report")
def write_report(
    path: Annotated[Path, typer.Argument(metavar="RESULT", help="result.json, or its folder.")],
    plots: Annotated[Path | None, typer.Option("--plots", help="A folder for its main plots, as SVG files of their own.")] = None,
) -> None:
    """Writes report.html anew, beside the result."""
    result = load(path)
    page = (path if path.is_dir() else path.parent) / "report.html"
    report.write(result, page)
    for one in [page, *(report.write_plots(result, plots) if plots else [])]:
        print(one)


@app.command(name="list")
def list_all() -> None:
    """Lists experiments, scenarios, targets and generators, and what is missing for them."""
    console = Console()
    for name in experiments.names():
        one = experiments.read(name)
        planned = runner.plan(one)
        console.print(f"[bold]{name}[/]  {one.title}: {len(planned)} runs, about {runner.seconds_of(one, planned) / 60:.0f} minutes")
    table = Table("what", "name", "about", box=None)
    for scenario in SCENARIOS.values():
        table.add_row("scenario", scenario.name, scenario.summary)
    for name in target_names():
        target = find_target(name)
        table.add_row("target", name, target.missing() or target.summary)
    table.add_row("target", f"weir/...{WITH_LOG}", "any of weir's engines, with an access log")
    for name, generator in GENERATORS.items():
        table.add_row("generator", name, generator.missing() or generator.version())
    for name in replay.names():
        table.add_row("replay", name, "")
    console.print(table)


@app.command()
def doctor(connections: Annotated[int, typer.Option(help="As many as are to be opened at once.")] = 10_000) -> None:
    """Checks whether this machine is fit to measure on; what is off comes with the command that mends it."""
    checks = machine.describe(connections).checks
    table = Table("", "what", "found", "what mends it", box=None)
    for one in checks:
        table.add_row("fine" if one.fine else "off", one.name, one.found, "" if one.fine else one.advice)
    Console().print(table)
    raise typer.Exit(0 if all(one.fine for one in checks) else 1)


def show_checks(found: Machine) -> None:
    for one in found.checks:
        if not one.fine:
            screen.print(f"note: {one.name}: {one.found}; {one.advice}", style="yellow", markup=False)


def check_names(experiment: experiments.Experiment) -> None:
    for cell in experiment.cells():
        try:
            find_target(cell.target)
        except UnknownTarget as error:
            raise experiments.BadExperiment(f"{experiment.name}: {error}") from None
        if cell.generator not in GENERATORS:
            raise experiments.BadExperiment(f"{experiment.name}: there is no generator '{cell.generator}'; there are {', '.join(GENERATORS)}")


def find_interrupted(out: Path, experiment: experiments.Experiment) -> tuple[Path | None, Result | None]:
    """The newest result of the same experiment that was not finished."""
    for path in sorted(out.glob("*/result.json"), reverse=True):
        try:
            result = Result.load(path)
        except ValueError:
            continue
        if result.experiment == experiment.text and result.finished is None:
            return path, result
    return None, None


def new_folder(out: Path) -> Path:
    folder = out / datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def load(path: Path) -> Result:
    try:
        return Result.load(path / "result.json" if path.is_dir() else path)
    except (OSError, ValueError) as error:
        fail(str(error))


def main() -> None:
    sys.exit(app())
