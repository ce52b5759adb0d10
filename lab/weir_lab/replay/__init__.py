"""Repeats the measurements of the five earlier systems ("seeds"): shows their command, their figure, ours, and why they
differ."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from weir_lab.core import built
from weir_lab.core.result import Result, Run, now
from weir_lab.generators import GENERATORS
from weir_lab.generators.program import first_line
from weir_lab.replay import page, seed0, seed1, seed2, seed3, seed4, users
from weir_lab.replay.player import play
from weir_lab.replay.seed import Seed
from weir_lab.replay.table import folder_of
from weir_lab.replay.users import Sample, UserLoad
from weir_lab.report.screen import table_of_checks
from weir_lab.running import machine, provenance
from weir_lab.targets import UnknownTarget
from weir_lab.targets import find as find_target

SEEDS: dict[str, Seed] = {one.name: one for one in (seed0.SEED, seed1.SEED, seed2.SEED, seed3.SEED, seed4.SEED)}

# The lines of ab that seed 0 shows on the screen. The log has all of them.
SELECTION = ("Failed requests:", "Time per request:", "Requests per second:")


def names() -> list[str]:
    return list(SEEDS)


def seed_of(result: Result) -> Seed | None:
    """Of the replay that it is a result of."""
    return SEEDS.get(str(tomllib.loads(result.experiment).get("replay", "")))


def run(name: str, out_dir: Path, quick: bool, console: Console) -> None:
    """Leaves result.json and replay.html in `out_dir`, and for seed 0 also output.log. Keeps the finished rows,
    whatever ends it."""
    seed = SEEDS[name]
    machine.raise_descriptor_limit()
    result = _begin(seed, quick)
    console.print(table_of_checks(result.machine.checks))
    samples: dict[str, list[Sample]] = {}
    try:
        _rows(seed, result, out_dir, quick, console)
        if name == "seed1":
            _users(result, samples, out_dir, quick, console)
        result.finished = now()
    finally:
        result.save(out_dir / "result.json")
        page.write_page(seed, result, samples, out_dir / "replay.html")
    page.show(seed, result, console)
    console.print(str(out_dir / "replay.html"))


def new_published_folder(name: str) -> Path:
    """Without what an earlier replay left there."""
    folder = folder_of(name)
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    return folder


def _begin(seed: Seed, quick: bool) -> Result:
    most = max(row.connections for row in seed.rows)
    return Result(
        seed.title,
        f'replay = "{seed.name}"\nquick = {str(quick).lower()}\n',
        now(),
        machine.describe(most),
        _versions(seed),
        "server and generator share all cores, as they did there",
        weir=provenance.of_weir(),
        about={
            row.target: find_target(row.target).summary for row in seed.rows if not row.target.startswith("two-sends/")
        },
    )


def _rows(seed: Seed, result: Result, out_dir: Path, quick: bool, console: Console) -> None:
    for number, row in enumerate(seed.rows, 1):
        console.print(f"{number} of {len(seed.rows)}: {row.what}; {row.connections:,} at once ({row.target})")
        one = play(row, quick)
        result.runs.append(one)
        result.save(out_dir / "result.json")
        if seed.name == "seed0":
            append_output(one, out_dir / "output.log")
            _show_selection(one, console)
        for reason in one.refused:
            console.print(f"    refused: {reason}", style="yellow")


def _show_selection(one: Run, console: Console) -> None:
    """Prints what seed 0's script printed."""
    console.print(f"command:  {' '.join(one.generator_command)}", soft_wrap=True)
    for line in one.generator_output.splitlines():
        if line.startswith(SELECTION):
            console.print(line)


def append_output(one: Run, log: Path) -> None:
    with log.open("a", encoding="utf-8") as file:
        commands = f"command:  {' '.join(one.generator_command)}\nserver:   {' '.join(one.server_command)}\n"
        file.write(built.without_root(commands) + f"{one.generator_output}\n")


def _users(result: Result, samples: dict[str, list[Sample]], out_dir: Path, quick: bool, console: Console) -> None:
    wanted = UserLoad.of(quick)
    for target, workers in (("weir/epoll-edge", 1), ("nginx-1", 1), ("nginx-4", 4)):
        console.print(f"{wanted.users:,} users of Locust on {target}, {wanted.seconds:.0f} s")
        one, samples[target] = users.play(target, wanted, workers)
        result.runs.append(one)
        result.save(out_dir / "result.json")
        for reason in one.refused:
            console.print(f"    refused: {reason}", style="yellow")


def _versions(seed: Seed) -> dict[str, str]:
    found = {}
    for name in dict.fromkeys(row.target for row in seed.rows):
        try:
            target = find_target(name)
            found[name] = target.missing() or target.version()
        except UnknownTarget:
            continue  # two_sends.py, which is part of the replay
    for tool in dict.fromkeys(row.tool for row in seed.rows):
        generator = GENERATORS[tool]
        found[tool] = generator.missing() or generator.version()
    if seed.name == "seed1":
        found["locust"] = first_line(*users.PROGRAM, "--version")
    return found


__all__: Sequence[str] = ("append_output", "names", "new_published_folder", "page", "run", "seed_of")
