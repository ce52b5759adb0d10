"""What each command of weir-lab does. cli.py has their arguments."""

from __future__ import annotations

import datetime
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from weir_lab import crowd as crowds
from weir_lab import crowd_machine, crowd_result, machine, needs, replay, report, runner
from weir_lab import experiment as experiments
from weir_lab.crowd_clients import ClientEnded
from weir_lab.crowd_progress import CrowdProgress
from weir_lab.generators import GENERATORS
from weir_lab.progress import Progress
from weir_lab.report import documents
from weir_lab.result import Machine, Result
from weir_lab.scenario import SCENARIOS
from weir_lab.server_process import DidNotStart
from weir_lab.targets import find as find_target
from weir_lab.targets import names as target_names
from weir_lab.targets import variants
from weir_lab.targets.ways import SEPARATOR
from weir_lab.targets.weir import WITH_LOG, Weir
from weir_lab.terminal import Screen

INTERRUPTED = 130  # 128 + SIGINT, as shells have it


class Failed(Exception):
    """In one line, why the command can't do what it was asked for."""


def run(asked: Namespace) -> int:
    screen = Screen()
    try:
        experiment = experiments.read("quick" if asked.quick else asked.experiment)
        needs.check_names(experiment)
    except experiments.BadExperiment as error:
        raise Failed(str(error)) from None
    path, result = find_interrupted(asked.out, experiment) if not asked.fresh else (None, None)
    if path is None or result is None:
        path = new_folder(asked.out) / "result.json"
        result = runner.start(experiment)
    else:
        screen.line(f"continuing {path}: {len(result.runs)} runs are done")
    if result.weir and result.weir.dirty:
        screen.line("note: the sources have uncommitted changes, or the binary was not built from them; the result says so", "yellow")
    show_checks(result.machine, screen)
    try:
        with Progress(screen) as progress:
            runner.run(experiment, result, path, progress)
    except KeyboardInterrupt:
        finish(result, path, screen)
        screen.line("interrupted: all finished runs are kept, and the same command continues")
        return INTERRUPTED
    finish(result, path, screen)
    return 0


def finish(result: Result, path: Path, screen: Screen) -> None:
    if not result.runs:
        return
    page = path.with_name("report.html")
    report.write(result, page)
    refused = sum(bool(one.refused) for one in result.runs)
    screen.line(f"{len(result.runs)} runs, {refused} refused; {page}")


def play_again(asked: Namespace) -> int:
    if asked.seed not in replay.names():
        raise Failed(f"there is no replay '{asked.seed}'; there are {', '.join(replay.names())}")
    replay.run(asked.seed, new_folder(asked.out), asked.quick, Screen())
    return 0


def crowd(asked: Namespace) -> int:
    screen = Screen()
    if missing := Weir(asked.engine).missing():
        raise Failed(missing)
    try:
        plan = crowd_machine.plan(asked.connections, asked.engine, asked.workers, asked.at_once)
    except crowd_machine.CannotHold as error:
        raise Failed(str(error)) from None
    if problems := [check for check in crowd_machine.checks(plan) if not check.fine]:
        raise Failed("this machine has no room for that: " + "; ".join(f"{one.name}: {one.found} ({one.advice})" for one in problems))
    path = new_folder(asked.out) / "crowd.json"
    try:
        with CrowdProgress(screen, plan) as progress:
            found = crowds.run(plan, path, progress)
    except (DidNotStart, ClientEnded) as error:
        raise Failed(str(error)) from None
    except KeyboardInterrupt:
        screen.line(f"interrupted; the finished steps are in {path}" if path.exists() else "interrupted")
        return INTERRUPTED
    return show_crowd(found, path, screen)


def show_crowd(found: crowd_result.Crowd, path: Path, screen: Screen) -> int:
    show_checks(found.machine, screen)
    print("\n".join(crowd_result.table(found)))
    for line in crowd_result.flatness(found.steps):
        screen.line(line)
    screen.line(str(path))
    problems = found.problems()
    for line in problems:
        screen.line(line, "red")
    return 1 if problems else 0


def compare(asked: Namespace) -> int:
    before, now = load(asked.a), load(asked.b)
    report.show_comparison(before, now, Screen(sys.stdout))
    if asked.html:
        report.write_comparison(before, now, asked.html)
    return 0


def write_report(asked: Namespace) -> int:
    result = load(asked.result)
    page = (asked.result if asked.result.is_dir() else asked.result.parent) / "report.html"
    report.write(result, page)
    plots = report.write_plots(result, asked.plots, [*asked.without]) if asked.plots else []
    for one in [page, *plots]:
        print(one)
    return 0


def write_tables(asked: Namespace) -> int:
    """Ends with 1 where --check found a document that is not as its results say."""
    stale = []
    for path in asked.documents or documents.DOCUMENTS:
        try:
            text = path.read_text(encoding="utf-8")
            made = documents.renewed(text)
        except (OSError, ValueError) as error:
            raise Failed(f"{path}: {error}") from None
        if made != text:
            stale.append(path)
            if not asked.check:
                path.write_text(made, encoding="utf-8")
    for path in stale:
        print(f"{path}: {'not as its results say; ./run lab tables renews it' if asked.check else 'renewed'}")
    return 1 if stale and asked.check else 0


def list_all(_: Namespace) -> int:
    screen = Screen(sys.stdout)
    for name in experiments.names():
        one = experiments.read(name)
        planned = runner.plan(one)
        screen.line(f"experiment {name}: {one.title}; {len(planned)} runs, about {runner.seconds_of(one, planned) / 60:.0f} minutes")
    screen.line()
    screen.table(("", "name", "about"), list(_rows()))
    return 0


def _rows() -> Iterator[tuple[str, str, str]]:
    for scenario in SCENARIOS.values():
        yield "scenario", scenario.name, scenario.summary
    if Weir("").missing() and not any(name.startswith("weir/") for name in target_names()):
        yield "target", "weir/ENGINE", Weir("per-core").missing() or ""
    for name in target_names():
        target = find_target(name)
        yield "target", name, target.missing() or target.summary
    yield "target", f"weir/ENGINE{WITH_LOG}", "any engine of weir, with an access log"
    for base in dict.fromkeys(name.partition(SEPARATOR)[0] for name in variants()):
        ways = ", ".join(name.partition(SEPARATOR)[2] for name in variants() if name.startswith(base + SEPARATOR))
        yield "target", f"{base}{SEPARATOR}WAY", f"{base}, set up in one way for all work: {ways}"
    for name, generator in GENERATORS.items():
        yield "generator", name, generator.missing() or generator.version()
    for name in replay.names():
        yield "replay", name, replay.SEEDS[name].title


def doctor(asked: Namespace) -> int:
    checks = machine.describe(asked.connections).checks
    rows = [("ok" if one.fine else "problem", one.name, one.found, "" if one.fine else one.advice) for one in checks]
    Screen(sys.stdout).table(("", "check", "found", "fix"), rows)
    return 0 if all(one.fine for one in checks) else 1


def list_needs(asked: Namespace) -> None:
    try:
        print("\n".join(needs.of_command(asked)))
    except experiments.BadExperiment as error:
        raise Failed(str(error)) from None


def show_checks(found: Machine, screen: Screen) -> None:
    for one in found.checks:
        if not one.fine:
            screen.line(f"note: {one.name}: {one.found}; fix: {one.advice}", "yellow")


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
        return Result.load(path / "result.json" if path.is_dir() else path)
    except (OSError, ValueError) as error:
        raise Failed(str(error)) from None
