"""Programs on libraries: which targets have their routes, with which command, and from which sources."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from targets_run import running, wanted
from test_targets_table import TWO_ENGINES, build_weir

from weir_lab.clients.expected import Expected
from weir_lab.clients.transport import Transport
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.experiments import experiment
from weir_lab.targets import UnknownTarget, find, names, names_to_build
from weir_lab.targets.built_peer import PEERS
from weir_lab.targets.program import PROGRAMS
from weir_lab.verify.validator import validate

WORK = ("program-text", "program-json", "program-echo")
OF_OTHERS = ("axum", "uwebsockets", "go-http")
TARGETS = ("program/per-core", "program/io-uring", "program/epoll-edge", "program/prefork", *OF_OTHERS)


def setup(folder: Path, workers: int = 1) -> ServerSetup:
    return ServerSetup(1234, folder, folder, workers, (), 100)


def test_the_program_of_this_tree_has_the_engines_of_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    monkeypatch.setenv("WEIR_LAB_BUILD", str(tmp_path))
    target = find("program/many")
    assert target.name == "program/many" and target.needs() == ("weir", "weir-program")
    assert "builds it if the experiment names program/ENGINE" in (target.missing() or "")
    assert target.command(SCENARIOS["program-text"], setup(tmp_path, 2)) == [
        str(tmp_path / "weir-program" / "weir-program"),
        "1234",
        "many",
        "2",
    ]
    with pytest.raises(UnknownTarget):
        find("program/three")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("axum", r"axum-peer program 1234 2"),
        ("uwebsockets", r"uwebsockets-peer 1234 2"),
        ("go-http", r"env GOMAXPROCS=2 GOGC=400 \S+go-http-peer 1234"),
    ],
)
def test_each_has_the_same_routes_for_all_work(name: str, words: str, tmp_path: Path) -> None:
    commands = [find(name).command(SCENARIOS[work], setup(tmp_path, 2)) for work in WORK]
    assert re.search(f"{words}$", " ".join(commands[0])) and commands[0] == commands[1] == commands[2]


@pytest.mark.parametrize("work", WORK)
def test_who_serves_files_says_so(work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    others = {*names(), *names_to_build()} - {*OF_OTHERS}
    assert {"weir/one", "floor/epoll", "nginx-1", "cpp-httplib"} <= others
    for name in others:
        with pytest.raises(CannotServe, match=r"has no routes of a program|program/\w+ is a program on the library"):
            find(name).command(SCENARIOS[work], setup(tmp_path))


@pytest.mark.parametrize("name", ["program/one", "uwebsockets", "go-http"])
def test_who_has_routes_alone_says_so(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    with pytest.raises(CannotServe, match="serves no files: it has the routes of a program"):
        find(name).command(SCENARIOS["keep-alive"], setup(tmp_path))


def test_the_experiment_has_all_of_them_with_each_work() -> None:
    one = experiment.read("programs")
    found = {(cell.target, cell.scenario) for cell in one.cells() if "again" not in cell.target}
    assert found == {(target, work) for target in TARGETS for work in WORK}
    assert {cell.generator for cell in one.cells() if cell.scenario == "program-echo"} == {"echoes"}
    assert all(one.rounds_of(cell) >= 5 for cell in one.cells())


def test_the_sources_are_pinned() -> None:
    lock = tomllib.loads((PEERS / "uwebsockets" / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    (sources,) = [one for one in lock if one["name"] == "libuwebsockets-sys"]
    assert sources["version"] == "0.0.10" and len(sources["checksum"]) == 64
    assert "github.com/gorilla/websocket v1.5.3 h1:" in (PEERS / "go-http" / "go.sum").read_text(encoding="utf-8")


@pytest.mark.live
@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("name", TARGETS)
def test_every_answer_is_right(name: str, work: str, tmp_path: Path) -> None:
    target, scenario = wanted(find(name)), SCENARIOS[work]
    with running(target, scenario, tmp_path, tmp_path) as server:
        found, _ = validate(
            server.port, scenario, Expected.of(scenario, tmp_path), (), Transport.of(scenario, tmp_path)
        )
    assert found.not_asked == [] and found.asked[-1] == ("goodbye" if scenario.is_echo else "other name")


@pytest.mark.live
@pytest.mark.parametrize("name", [one.name for one in PROGRAMS])
def test_versions_are_those_of_the_libraries(name: str) -> None:
    words = {
        "uwebsockets": r"uWebSockets \d+, libuwebsockets-sys 0\.0\.10",
        "go-http": r"Go 1\.\d+.*, gorilla/websocket 1",
    }
    assert re.match(words[name], wanted(find(name)).version())
