"""docs/lab.md says what the program says: the same commands, names, lengths, rules and members."""

from __future__ import annotations

import dataclasses
import re

import pytest
from test_layers import ORDER
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from weir_lab import replay
from weir_lab.cli import main
from weir_lab.core.built import REPOSITORY
from weir_lab.core.findings import Counted, Sampled, Trust, Validated, Worker
from weir_lab.core.load import Latency, Load
from weir_lab.core.result import RATE_TOLERANCE, Build, Cell, Check, Commands, Machine, Result, Run, ServerUse, Window
from weir_lab.core.scenario import SCENARIOS
from weir_lab.counting import windows
from weir_lab.experiments import experiment
from weir_lab.generators import GENERATORS
from weir_lab.network import delays
from weir_lab.running import runner
from weir_lab.statistics import drift, words
from weir_lab.statistics.measures import BETWEEN_RESULTS, WITHIN_RESULT
from weir_lab.targets import find, names_to_build
from weir_lab.user_targets import scenario as own_scenario
from weir_lab.user_targets import target as own_target
from weir_lab.verify import comparisons, judgement, validator, validity

TEXT = (REPOSITORY / "docs" / "lab.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return re.split(r"^#+ ", TEXT.partition(f"# {title}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str) -> list[list[str]]:
    """Of the tables of a section, without their heads."""
    found = [line.strip("|").split("|") for line in section(title).splitlines() if line.startswith("|")]
    return [
        [cell.strip() for cell in row]
        for number, row in enumerate(found)
        if not row[0].startswith("---") and not (number + 1 < len(found) and found[number + 1][0].startswith("---"))
    ]


def names(title: str) -> list[str]:
    """In the first column, in code."""
    return [name for row in rows(title) for name in re.findall(r"`([^`]+)`", row[0])]


def test_scenarios() -> None:
    assert sorted(names("Scenarios")) == sorted(SCENARIOS)


def test_generators() -> None:
    assert sorted(names("Generators")) == sorted(GENERATORS)


def test_packages() -> None:
    assert [f"weir_lab.{name}" for name in names("The lab's packages")] == [*ORDER[:-1]]


def test_replays() -> None:
    assert names("Replays") == replay.names()


def test_experiments_and_their_length() -> None:
    lengths = {}
    for name in experiment.names():
        lengths[name] = words.minutes(runner.length(experiment.read(name)))
    assert {row[0].strip("`"): row[2] for row in rows("Experiments")} == lengths
    assert runner.length(experiment.read("quick"))[1] <= 120
    assert runner.length(experiment.read("peers"))[1] <= 40 * 60


def commands() -> dict[str, TyperCommand]:
    whole = get_command(main.app)
    assert isinstance(whole, TyperGroup)
    return {name: one for name, one in whole.commands.items() if isinstance(one, TyperCommand)}


def test_commands() -> None:
    told = {
        line.removeprefix("./run lab").split()[0]
        for line in names("Running it")
        if not line.endswith(("lab", "--quick"))
    }
    assert told == {name for name, one in commands().items() if not one.hidden}


def test_each_command_that_is_shown_is_understood() -> None:
    for line in [one for one in names("Running it") if "my.toml" not in one]:
        arguments = line.removeprefix("./run lab").split()
        name, *rest = arguments if arguments and not arguments[0].startswith("-") else ["run", *arguments]
        commands()[name].make_context(name, rest)


@pytest.mark.parametrize("command", commands())
def test_each_option_has_a_line_of_help(command: str) -> None:
    for parameter in commands()[command].params:
        assert getattr(parameter, "help", None), parameter.name


def test_constants_of_the_rules() -> None:
    said = {
        name: f"{value * 100:g} %"
        for name, value in vars(validity).items()
        if name.isupper() and isinstance(value, float)
    }
    said |= {
        "CLOCK_TOLERANCE": f"{comparisons.CLOCK_TOLERANCE * 100:g} %",
        "ACCEPTS_TOLERANCE": f"{comparisons.ACCEPTS_TOLERANCE * 100:g} %",
        "LINKED_MAX": f"{judgement.LINKED_MAX * 100:g} %",
        "KEPT_REQUESTS": str(validator.KEPT_REQUESTS),
        "COUNTS_TOLERANCE": f"{windows.COUNTS_TOLERANCE * 100:g} %",
        "STEAL_MAX": f"{windows.STEAL_MAX * 100:g} %",
        "LATE_MAX": f"{delays.LATE_MAX * 100:g} %",
    }
    said["RATE_TOLERANCE"] = f"{1 - RATE_TOLERANCE:.0%}".replace("%", " %")
    said |= {
        "WITHIN_RESULT": f"{WITHIN_RESULT:.0%}".replace("%", " %"),
        "DRIFT_MAX": f"{drift.DRIFT_MAX:.0%}".replace("%", " %"),
        "BETWEEN_RESULTS": f"{BETWEEN_RESULTS:.0%}".replace("%", " %"),
    }
    text = " ".join(TEXT.split())
    for name, value in said.items():
        before, _, after = text.partition(f"`{name}`")
        assert after and value in before[-80:], f"{name} is {value}"


def members(kind: type, prefix: str = "") -> set[str]:
    return {prefix + field.name for field in dataclasses.fields(kind)}


def test_members_of_a_result() -> None:
    told = set(names("result.json"))
    assert {name for name in told if "[]" not in name} >= members(Result) - {"runs"} | members(
        Build, "weir."
    ) | members(Run)
    assert told >= members(Load, "load.") - {"load.errors"} | members(ServerUse, "server.")
    listed = section("result.json")
    kinds: list[type] = [Machine, Check, Cell, Commands, Latency, Validated, Sampled, Counted, Worker]
    for kind in kinds:
        assert all(f"`{field.name}`" in listed for field in dataclasses.fields(kind))
    assert told >= members(Trust, "trust.") | members(Window, "window.")
    known = (
        members(Result)
        | members(Trust, "trust.")
        | members(Window, "window.")
        | members(Build, "weir.")
        | members(Run)
        | members(Load, "load.")
        | members(ServerUse, "server.")
    )
    assert told - known == {"machine.checks[]"}


def test_peers_that_are_built() -> None:
    title = "Peers that are built when they are asked for"
    assert sorted(names(title)) == sorted(names_to_build())
    for row in rows(title):
        target = find(row[0].strip("`"))
        if "Debian" not in row[1]:
            version = row[1].split()[-1]
            assert version in target.version(), target.name


def test_members_of_own_tables() -> None:
    told = set(names("Measuring a server of your own"))
    assert told == own_target.TargetTable.__annotations__.keys() | own_scenario.ScenarioTable.__annotations__
