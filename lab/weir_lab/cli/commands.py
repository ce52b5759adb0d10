"""Carries out the commands of weir-lab. main.py has their arguments."""

import datetime
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from weir_lab import replay, report
from weir_lab.add import adding
from weir_lab.add.adding import Wanted
from weir_lab.add.trial import Wrong
from weir_lab.cli import documents, needs
from weir_lab.core.result import Machine, Result
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import OTHER
from weir_lab.course import live, teach, why
from weir_lab.course import map as winners_map
from weir_lab.course.live.page import CannotShow
from weir_lab.course.map import answer, picture
from weir_lab.course.teach.lessons import LESSONS
from weir_lab.experiments import experiment as experiments
from weir_lab.generators import GENERATORS
from weir_lab.many_connections import measurement, planning
from weir_lab.many_connections import result as connections_result
from weir_lab.many_connections.processes import ClientEnded
from weir_lab.many_connections.progress import StepProgress
from weir_lab.network import namespaces
from weir_lab.report.screen import console, plain_table, table_of_checks
from weir_lab.running import machine, runner
from weir_lab.running.progress import Progress
from weir_lab.servers.server_process import DidNotStart
from weir_lab.statistics import words
from weir_lab.targets import find as find_target
from weir_lab.targets import names as target_names
from weir_lab.targets import names_to_build, variants
from weir_lab.targets.program import Program
from weir_lab.targets.ways import SEPARATOR
from weir_lab.targets.weir import WITH_LOG, Weir, no_other
from weir_lab.user_targets.table import WrongTable

INTERRUPTED = 130  # 128 + SIGINT, as shells have it


class Failed(Exception):
    """Says in one line why the command failed."""


def run(name: str, fresh: bool, out: Path, seed: int | None = None, quick: bool = False) -> int:
    screen = console(sys.stderr)
    namespaces.prepare()
    experiment = experiments.read(name)
    if quick:
        experiment = experiment.shortened()
    needs.check_names(experiment)
    path, result = find_interrupted(out, experiment) if not fresh else (None, None)
    if path is None or result is None:
        path = new_folder(out) / "result.json"
        result = runner.start(experiment, seed)
    else:
        screen.print(f"continuing {path}: {len(result.runs)} runs are done")
    if result.weir and result.weir.dirty:
        screen.print(
            "note: the sources have uncommitted changes, or the binary was not built from them; the result says so",
            style="yellow",
        )
    show_checks(result.machine, screen)
    try:
        with Progress(screen) as progress:
            runner.run(experiment, result, path, progress)
    except KeyboardInterrupt:
        finish(result, path, screen)
        screen.print("interrupted: all finished runs are kept, and the same command continues")
        return INTERRUPTED
    finish(result, path, screen)
    return 0


def finish(result: Result, path: Path, screen: Console) -> None:
    if not result.runs:
        return
    page = path.with_name("report.html")
    report.write(result, page, winners_map.sections(result), answer.sections(result))
    screen.print(answer.picture(result) if experiments.answers(result.experiment) else report.text(result))
    refused = sum(bool(one.refused) for one in result.runs)
    screen.print(f"{len(result.runs)} runs, {refused} refused; {page}")


def play_again(seed: str, quick: bool, publish: bool, out: Path) -> int:
    if seed not in replay.names():
        raise Failed(f"there is no replay '{seed}'; there are {', '.join(replay.names())}")
    if publish and quick:
        raise Failed("a quick replay is shorter than the original, so it can't be published")
    replay.run(seed, replay.new_published_folder(seed) if publish else new_folder(out), quick, console(sys.stderr))
    return 0


def teach_hour(number: int, yes: bool, out: Path) -> int:
    if number > len(LESSONS):
        raise Failed(f"there are {len(LESSONS)} experiments")
    if missing := Weir("epoll-edge").missing() or GENERATORS["wrk"].missing():
        raise Failed(missing)
    try:
        teach.run(number, yes, out / "teach")
    except KeyboardInterrupt:
        print("\ninterrupted; ./run lab teach NUMBER continues at an experiment")
        return INTERRUPTED
    return 0


def teach_live(engines: str, seconds: float | None, port: int, opens: bool) -> int:
    first, _, second = engines.partition(",")
    for engine in (first, second):
        if not engine:
            raise Failed(f"--engines takes two names, as in --engines {','.join(live.ENGINES)}")
        if missing := Weir(engine).missing():
            raise Failed(missing)
    try:
        live.run(live.Lecture((first, second), seconds, port, opens))
    except (DidNotStart, CannotShow) as error:
        raise Failed(str(error)) from None
    except KeyboardInterrupt:
        print("\nThe lecture has ended.")
    return 0


def why_they_differ(a: str, b: str, with_callgrind: bool, out: Path) -> int:
    pairs = [why.Pair(a, b)] if a and b else why.neighbours()
    for engine in filter(None, (a, b)):
        if not why.source_of(engine).is_file():
            raise Failed(f"there is no engine '{engine}'; `weir engines` lists them")
    if a and not b:
        pairs = [pair for pair in pairs if a in (pair.a, pair.b)]
    experiment = why.experiment_of(pairs)
    needs.check_names(experiment)
    screen, folder = console(sys.stderr), new_folder(out)
    screen.print(f"about {words.minutes(runner.length(experiment))}; then flame graphs")
    try:
        with Progress(screen) as progress:
            page = why.run(pairs, with_callgrind, folder, progress, screen)
    except KeyboardInterrupt:
        screen.print(f"interrupted; the finished runs are in {folder}")
        return INTERRUPTED
    print(page)
    return 0


def many_connections(connections: int, engine: str, workers: int | None, at_once: int, out: Path) -> int:
    screen = console(sys.stderr)
    if missing := Weir(engine).missing():
        raise Failed(missing)
    try:
        plan = planning.plan(connections, engine, workers, at_once)
    except planning.CannotHold as error:
        raise Failed(str(error)) from None
    if problems := [check for check in planning.checks(plan) if not check.fine]:
        raise Failed(
            "this machine has no room for that: "
            + "; ".join(f"{one.name}: {one.found} ({one.advice})" for one in problems)
        )
    path = new_folder(out) / connections_result.FILE_NAME
    try:
        with StepProgress(screen, plan) as progress:
            found = measurement.run(plan, path, progress)
    except (DidNotStart, ClientEnded) as error:
        raise Failed(str(error)) from None
    except KeyboardInterrupt:
        screen.print(f"interrupted; the finished steps are in {path}" if path.exists() else "interrupted")
        return INTERRUPTED
    return show_many_connections(found, path, screen)


def show_many_connections(found: connections_result.ManyConnections, path: Path, screen: Console) -> int:
    show_checks(found.machine, screen)
    console(sys.stdout).print(connections_result.table(found))
    for line in connections_result.flatness(found.steps):
        screen.print(line)
    screen.print(str(path))
    problems = found.problems()
    for line in problems:
        screen.print(line, style="red")
    return 1 if problems else 0


def compare(a: Path, b: Path, html: Path | None) -> int:
    before, now = load(a), load(b)
    console(sys.stdout).print(report.compare_table(before, now))
    if html:
        report.write_comparison(before, now, html)
    return 0


def write_report(path: Path, plots: Path | None, without: Sequence[str], text: bool = False) -> int:
    result = load(path)
    if text:
        console(sys.stdout).print(
            answer.picture(result) if experiments.answers(result.experiment) else report.text(result)
        )
        return 0
    page = (path if path.is_dir() else path.parent) / "report.html"
    if seed := replay.seed_of(result):
        page = page.with_name("replay.html")
        replay.page.write_page(seed, result, {}, page)
    else:
        report.write(result, page, winners_map.sections(result), answer.sections(result))
    for one in [page, *(report.write_plots(result, plots, without) if plots else [])]:
        print(one)
    return 0


def write_tables(paths: Sequence[Path], check: bool) -> int:
    """Returns 1 if `check` found a document that differs from its results."""
    stale = []
    for path in paths or (*documents.DOCUMENTS, picture.FILE):
        try:
            text = path.read_text(encoding="utf-8") if path.exists() or paths else ""
            made = documents.picture() if path == picture.FILE else documents.renewed(text)
        except (OSError, ValueError) as error:
            raise Failed(f"{path}: {error}") from None
        if made != text:
            stale.append(path)
            if not check:
                path.write_text(made, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'not as its results say; ./run lab tables renews it' if check else 'renewed'}")
    return 1 if stale and check else 0


def add_target(wanted: Wanted) -> int:
    screen = console(sys.stderr)
    try:
        text = adding.add(wanted, screen)
    except (Wrong, WrongTable) as error:
        raise Failed(f"{wanted.name}: {error}") from None
    if wanted.to:
        screen.print(
            f"{wanted.to} brings {wanted.name}; name it in a [[matrix]] of that file if none has it, and measure it: "
            f"./run lab run {wanted.to}"
        )
    else:
        print(text, end="")
    return 0


def list_all() -> int:
    screen = console(sys.stdout)
    for name in experiments.names():
        one = experiments.read(name)
        screen.print(f"experiment {name}: {one.title}; about {words.minutes(runner.length(one))}")
    screen.print()
    table = plain_table("", "name", "about")
    for row in _rows():
        table.add_row(*row)
    screen.print(table)
    return 0


def _rows() -> Iterator[tuple[str, str, str]]:
    for scenario in SCENARIOS.values():
        yield "scenario", scenario.name, scenario.summary
    if Weir("").missing() and not any(name.startswith("weir/") for name in target_names()):
        yield "target", "weir/ENGINE", Weir("per-core").missing() or ""
    for name in (*target_names(), *names_to_build()):
        target = find_target(name)
        yield "target", name, target.missing() or target.summary
    yield "target", "program/ENGINE", Program("per-core").missing() or "a program on weir::web, with any engine"
    yield "target", f"weir/ENGINE{WITH_LOG}", "any engine of weir, with an access log"
    yield "target", f"{OTHER}weir/ENGINE", no_other() or "any engine of the build that WEIR_LAB_OTHER names"
    for base in dict.fromkeys(name.partition(SEPARATOR)[0] for name in variants()):
        ways = ", ".join(name.partition(SEPARATOR)[2] for name in variants() if name.startswith(base + SEPARATOR))
        yield "target", f"{base}{SEPARATOR}WAY", f"{base}, set up in one way for all work: {ways}"
    for name, generator in GENERATORS.items():
        yield "generator", name, generator.missing() or generator.version()
    for name in replay.names():
        yield "replay", name, replay.SEEDS[name].title


def doctor(connections: int) -> int:
    namespaces.prepare()
    checks = machine.describe(connections).checks
    console(sys.stdout).print(table_of_checks(checks))
    return 0 if all(one.fine for one in checks) else 1


def show_checks(found: Machine, screen: Console) -> None:
    for one in found.checks:
        if not one.fine:
            screen.print(f"note: {one.name}: {one.found}; fix: {one.advice}", style="yellow")


def find_interrupted(out: Path, experiment: experiments.Experiment) -> tuple[Path | None, Result | None]:
    """The newest result that can be continued."""
    for path in sorted(out.glob("*/result.json"), reverse=True):
        try:
            result = Result.load(path)
        except ValueError:
            continue
        if runner.can_continue(experiment, result):
            return path, result
    return None, None


def new_folder(out: Path) -> Path:
    folder = out / datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def load(path: Path) -> Result:
    try:
        result = Result.load(path / "result.json" if path.is_dir() else path)
    except (OSError, ValueError) as error:
        raise Failed(str(error)) from None
    experiments.recall(result.experiment)
    return result
