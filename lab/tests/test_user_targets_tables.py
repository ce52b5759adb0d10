"""[[target]] and [[scenario]]: what they may say, and what is said about mistakes in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.experiments import experiment
from weir_lab.experiments.experiment import BadExperiment
from weir_lab.targets import find, names
from weir_lab.user_targets import brought

MINE: dict[str, Any] = {"name": "mine", "command": "server --port {port}"}
WORK: dict[str, Any] = {"name": "work", "path": "/hello", "body_bytes": 5}
LAB_SCENARIOS = list(SCENARIOS)


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    yield
    brought.bring(brought.Brought())
    assert list(SCENARIOS) == LAB_SCENARIOS


def parse(
    target: dict[str, Any] | None = None, scenario: dict[str, Any] | None = None, folder: Path | None = None
) -> experiment.Experiment:
    data: dict[str, object] = {
        "title": "t",
        "target": [target or MINE],
        "scenario": [scenario or WORK],
        "matrix": [{"targets": ["mine"], "scenarios": [(scenario or WORK).get("name", "")], "connections": [10]}],
    }
    return experiment.parse("my", data, folder=folder)


def setup(tmp_path: Path, cores: tuple[int, ...] = (0,)) -> ServerSetup:
    return ServerSetup(4711, tmp_path / "site", tmp_path, 2, cores, 100)


def test_a_target_and_a_scenario_are_known_by_name() -> None:
    one = parse()
    assert [(cell.target, cell.scenario) for cell in one.cells()] == [("mine", "work")]
    assert find("mine").name == "mine" and "mine" in names()
    assert SCENARIOS["work"].path == "/hello" and "5 bytes come back" in SCENARIOS["work"].summary
    experiment.read("quick")
    assert "mine" not in names() and "work" not in SCENARIOS, "another file was read"


def test_a_command_is_filled_in(tmp_path: Path) -> None:
    parse(MINE | {"command": ["sh", "-c", "{port} {site} {workers} {cores} {connections} {bytes}"]}, folder=tmp_path)
    command = find("mine").command(SCENARIOS["work"], setup(tmp_path, (0, 1)))
    assert command == ["env", f"--chdir={tmp_path}", "sh", "-c", f"4711 {tmp_path}/site 2 0,1 100 5"]


def test_environment_and_directory_go_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "server").write_text("", encoding="utf-8")
    (tmp_path / "sub" / "server").chmod(0o755)
    parse(
        {"name": "mine", "command": "./server", "environment": {"PORT": "{port}"}, "directory": "sub"}, folder=tmp_path
    )
    assert find("mine").missing() is None
    assert find("mine").command(SCENARIOS["work"], setup(tmp_path)) == [
        "env",
        f"--chdir={tmp_path}/sub",
        "PORT=4711",
        f"{tmp_path}/sub/server",
    ]


def test_a_handler_gets_its_time(tmp_path: Path) -> None:
    work = WORK | {"handler": "sleep", "handler_ms": 2.5}
    parse(MINE | {"command": "server {port} {handler} {handler_ms}"}, work)
    assert find("mine").command(SCENARIOS["work"], setup(tmp_path))[-2:] == ["sleep", "2.5"]
    parse(MINE, work)
    with pytest.raises(CannotServe, match=r"does not mention \{handler_ms\}"):
        find("mine").command(SCENARIOS["work"], setup(tmp_path))


def test_a_server_of_tls_gets_the_labs_certificate(tmp_path: Path) -> None:
    work = WORK | {"tls": True, "http2": True, "pipeline": 8}
    parse(MINE | {"command": "server {port} {certificate} {key}"}, work, tmp_path)
    found = SCENARIOS["work"]
    assert (found.tls, found.http2, found.resumed, found.pipeline) == (True, True, False, 8)
    assert "over HTTP/2 and TLS" in found.summary
    command = find("mine").command(found, setup(tmp_path))
    assert command[-2:] == [str(tmp_path / "certificate.pem"), str(tmp_path / "key.pem")]
    parse(MINE, work, tmp_path)
    with pytest.raises(CannotServe, match=r"does not mention {certificate}, which TLS needs"):
        find("mine").command(SCENARIOS["work"], setup(tmp_path))


def test_a_server_that_asks_for_passwords_gets_a_file_of_them(tmp_path: Path) -> None:
    parse(MINE | {"command": "server {port} {users}"}, WORK, tmp_path)
    assert find("mine").command(SCENARIOS["password"], setup(tmp_path))[-1] == str(tmp_path / "users")
    parse(MINE, WORK, tmp_path)
    with pytest.raises(CannotServe, match=r"does not mention {users}, the file of passwords"):
        find("mine").command(SCENARIOS["password"], setup(tmp_path))


def test_connections_of_a_scenario_replace_those_of_the_matrix() -> None:
    data: dict[str, object] = {
        "title": "t",
        "scenario": [WORK | {"connections": [1, 7]}],
        "matrix": [{"targets": ["a"], "scenarios": ["work", "close"], "connections": [10]}],
    }
    cells = experiment.parse("my", data).cells()
    assert [(cell.scenario, cell.connections) for cell in cells] == [("work", 1), ("work", 7), ("close", 10)]
    data["matrix"] = [{"targets": ["a"], "scenarios": ["work"]}]
    assert len(experiment.parse("my", data).cells()) == 2
    data["matrix"] = [{"targets": ["a"], "scenarios": ["close"]}]
    with pytest.raises(BadExperiment, match="lacks connections, and the scenario 'close' has none of its own"):
        experiment.parse("my", data)


def test_rates_of_a_scenario_are_open_loop() -> None:
    matrix = {"targets": ["mine"], "scenarios": ["work", "close"], "connections": [10], "generators": ["rps"]}
    data: dict[str, object] = {"title": "t", "target": [MINE], "scenario": [WORK | {"rates": [100, 2000]}]}
    cells = experiment.parse("my", data | {"matrix": [matrix]}).cells()
    assert [(cell.scenario, cell.rate) for cell in cells] == [("work", 100.0), ("work", 2000.0), ("close", None)]
    with pytest.raises(BadExperiment, match="'work' has rates, so the generators of its matrix are rps or oha"):
        experiment.parse("my", data | {"matrix": [matrix | {"generators": ["wrk"]}]})


def test_peers_of_files_answer_get_alone(tmp_path: Path) -> None:
    parse(None, WORK | {"method": "POST", "request_bytes": 3})
    with pytest.raises(CannotServe, match="nginx-1 serves files, and answers no POST"):
        find("nginx-1").command(SCENARIOS["work"], setup(tmp_path))


def test_a_report_knows_the_scenarios_of_its_experiment() -> None:
    text = (
        'title = "t"\n[[scenario]]\nname = "work"\nsummary = "my work"\n'
        '[[matrix]]\ntargets = ["a"]\nscenarios = ["work"]\nconnections = [1]\n'
    )
    experiment.recall(text)
    assert SCENARIOS["work"].summary == "my work"
    experiment.recall("no TOML at all =")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"port": 1}, "my.toml: target 'mine': 'port' means nothing here; there are name, command, ready"),
        ({"name": "a b"}, "my.toml: target 1: name is letters, digits"),
        ({"name": "nginx-1"}, "target 'nginx-1': name is that of a target of the lab; allowed is any other"),
        ({"command": "server"}, "command lacks {port}"),
        ({"command": []}, r'command is text or a list of texts, as in \["server", "--port", "{port}"\]'),
        ({"command": 7}, "command is text or a list of texts"),
        ({"command": "server '{port}"}, "command: No closing quotation"),
        (
            {"command": "server {prot}"},
            r"{prot} in command or environment stands for nothing; there are {port}, {site}",
        ),
        ({"cpu": "thread"}, "cpu is 'thread'; allowed are process, cgroup"),
        ({"container": "img", "cpu": "process"}, 'allowed with container is cpu = "cgroup"'),
        ({"path": "hello"}, 'path is that of a URL, as in path = "/hello"'),
        ({"environment": {"A": 1}}, "environment is a table of texts"),
        ({"ready": True}, "ready is text"),
    ],
)
def test_what_is_wrong_with_a_target_is_said(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadExperiment, match=words):
        parse(MINE | change)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bytes": 1}, "my.toml: scenario 'work': 'bytes' means nothing here; there are name, summary, method"),
        ({"tls": True, "method": "POST"}, "tls and http2 want files: neither handler nor method"),
        ({"tls": True, "slow_readers": 1}, "slow_readers and slow_senders speak plain HTTP/1.1"),
        ({"http2": True, "idle_connections": 1}, "idle_connections speak HTTP/1.1"),
        ({"http2": True, "keep_alive": False}, "http2 wants keep_alive = true"),
        ({"resumed": True, "keep_alive": False}, "resumed wants tls = true and keep_alive = false"),
        ({"tls": True, "resumed": True}, "resumed wants tls = true and keep_alive = false"),
        ({"method": "HEAD"}, "method is 'HEAD'; allowed are GET, POST, PUT, PATCH, DELETE"),
        ({"body_bytes": -1}, "body_bytes is a whole number from 0; it is -1"),
        ({"body_bytes": True}, "body_bytes is a whole number"),
        ({"pipeline": 0}, "pipeline is a whole number from 1"),
        ({"pipeline": 4, "keep_alive": False}, "pipeline wants keep_alive = true"),
        ({"handler": "sleep"}, "handler and handler_ms belong together"),
        ({"handler": "wait", "handler_ms": 1}, "handler is 'wait'; allowed are none, sleep, spin, timer"),
        ({"connections": [0]}, "connections is a list of whole numbers from 1"),
        ({"rates": [0]}, "rates is a list of requests per second"),
        ({"request_bytes": 3}, "request_bytes wants a method with content"),
        ({"path": "/../x"}, 'path is that of a URL, as in path = "/hello"'),
        ({"path": "/1024.bin"}, "path /1024.bin has 5 bytes, and 1024 in 'keep-alive'"),
        ({"name": "close"}, "name is that of a scenario of the lab"),
        ({"keep_alive": 1}, "keep_alive is true or false"),
    ],
)
def test_what_is_wrong_with_a_scenario_is_said(change: dict[str, Any], words: str) -> None:
    with pytest.raises(BadExperiment, match=words):
        parse(None, WORK | change)


def test_each_name_stands_once() -> None:
    with pytest.raises(BadExperiment, match="target 'mine' is there twice"):
        experiment.parse("my", {"title": "t", "target": [MINE, MINE], "matrix": []})
    with pytest.raises(BadExperiment, match=r"target is a list of tables: each begins with \[\[target\]\]"):
        experiment.parse("my", {"title": "t", "target": {"name": "mine"}, "matrix": []})


def test_what_is_not_here_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse(MINE | {"command": "no-such-server {port}"})
    assert find("mine").missing() == "the target 'mine' is started by 'no-such-server', which is no program here"
    parse(MINE | {"directory": "nowhere"}, folder=tmp_path)
    assert "nowhere, which does not exist" in (find("mine").missing() or "")
    monkeypatch.setenv("PATH", str(tmp_path))
    parse(MINE | {"container": "image"})
    assert find("mine").missing() == (
        "the target 'mine' runs in a container, and neither docker nor podman is installed"
    )
