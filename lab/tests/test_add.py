"""`./run lab add`: servers of three lines are measured; about others it says what is wrong."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from weir_lab.add import adding
from weir_lab.cli import main
from weir_lab.core.result import Cell, Run
from weir_lab.experiments import experiment
from weir_lab.experiments.experiment import Experiment
from weir_lab.generators import GENERATORS
from weir_lab.kernel.cgroups import Group, NoGroup
from weir_lab.running import runner
from weir_lab.user_targets import brought

ODD = Path(__file__).with_name("odd_servers.py")
PYTHON = (
    "import sys, http.server as h\n"
    "H = type('H', (h.BaseHTTPRequestHandler,), {'protocol_version': 'HTTP/1.1', 'wbufsize': -1, 'log_request': "
    "lambda *_: 0, 'do_GET': lambda s: (s.send_response(200), s.send_header('Content-Length', '5'), s.end_headers(), "
    "s.wfile.write(b'hello'))})\n"
    "h.ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), H).serve_forever()\n"
)
NODE = 'require("http").createServer((q, s) => s.end("hello from node")).listen(process.argv[2], "127.0.0.1")\n'
GO = (
    'package main\nimport ("fmt"; "net/http"; "os")\n'
    'func main() { http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc('
    'func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello, go") })) }\n'
)


@pytest.fixture(autouse=True)
def nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(adding, "WARM_UP_SECONDS", 0.0)
    yield
    brought.bring(brought.Brought())


def add(*arguments: str) -> int:
    """The exit status of the command."""
    with pytest.raises(SystemExit) as ended:
        main.start(["add", *arguments])
    code = ended.value.code
    assert isinstance(code, int)
    return code


@dataclass
class OnceItListens:
    """A clock by which the time to start is over when odd_servers.py listens. It stands at 0 when the lab begins to
    wait, even if the server is quicker than that."""

    sign: Path
    has_begun: bool = False

    def monotonic(self) -> float:
        before, self.has_begun = self.has_begun, True
        return 1e9 if before and self.sign.exists() else 0.0

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class Silent:
    def begins(self, order: int, of: int, cell: Cell, round: int, next: Cell | None, seconds_left: float) -> None:
        pass

    def ended(self, run: Run) -> None:
        pass


def measured(file: Path) -> list[Run]:
    """The runs of one short round."""
    one = experiment.read(str(file))
    short = Experiment(**(vars(one) | {"rounds": 1, "seconds": adding.LOAD_SECONDS}))
    result = runner.start(short)
    runner.run(short, result, file.with_suffix(".json"), Silent())
    return result.runs


def python_server(folder: Path) -> list[str]:
    (folder / "server.py").write_text(PYTHON, encoding="utf-8")
    return [sys.executable, "server.py", "{port}"]


def node_server(folder: Path) -> list[str]:
    if not shutil.which("node"):
        pytest.skip("node is not installed: apt-get install nodejs")
    (folder / "server.js").write_text(NODE, encoding="utf-8")
    return ["node", "server.js", "{port}"]


def go_server(folder: Path) -> list[str]:
    if not shutil.which("go"):
        pytest.skip("go is not installed: apt-get install golang-go")
    (folder / "server.go").write_text(GO, encoding="utf-8")
    subprocess.run(["go", "build", "-o", "server", "server.go"], cwd=folder, check=True, timeout=300)
    return ["./server", "{port}"]


@pytest.mark.live
@pytest.mark.parametrize(("make", "size"), [(python_server, 5), (node_server, 15), (go_server, 9)])
def test_a_server_of_three_lines_is_measured(make, size: int, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    if missing := GENERATORS["wrk"].missing():
        pytest.skip(missing)
    assert add("mine", "--to", "my.toml", "--", *make(tmp_path)) == 0
    said = tomllib.loads((tmp_path / "my.toml").read_text(encoding="utf-8"))
    assert said["scenario"] == [{"name": "mine-work", "path": "/", "body_bytes": size}]
    runs = [run for run in measured(tmp_path / "my.toml") if run.cell.target == "mine"]
    few, many = sorted(runs, key=lambda run: run.cell.connections)
    assert many.load and many.load.requests > 0  # Python's server does not accept all of 100 in two seconds
    assert few.load and few.load.requests > 0 and few.cpu_per_request is not None
    assert not few.refused or any(words.startswith(adding.OF_THE_MOMENT) for words in few.refused), few.refused


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("404", "it answers 404 Not Found for /; --path says what the lab should ask for"),
        ("closes", "it closes the connection after each answer (HTTP/1.1); let it keep connections"),
        ("long", "wrong length: it announces 5 bytes and sends 7 more"),
        ("varies", "its answers differ in length"),
        ("chunks", "the answer came in chunks, without a Content-Length"),
        ("elsewhere", "and not at {port}, which is"),
        ("address", "it listens on 127.0.0.2 only; the lab asks 127.0.0.1"),
        ("silent", "it listens at the port that the lab chose, but does not answer"),
        ("daemon", "is no descendant of the command: its CPU would not be counted"),
    ],
)
def test_what_is_wrong_with_it_is_said(
    how: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if how in ("elsewhere", "address", "silent"):
        monkeypatch.setattr("weir_lab.servers.server_process.time", OnceItListens(Path("listens").absolute()))
    if how == "silent":
        monkeypatch.setattr("weir_lab.servers.server_process.ANSWER_SECONDS", 0.1)
    assert add("odd", "--", sys.executable, str(ODD), how, "{port}") == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mine", "--", "server"], "target 'mine': command lacks {port}"),
        (["mine", "--", "no-such-server", "{port}"], "is started by 'no-such-server', which is no program here"),
        (["mine", "--cpu", "thread", "--", "server", "{port}"], "cpu is 'thread'; allowed are process, cgroup"),
        (["a b", "--", "server", "{port}"], "the name is letters, digits"),
        (["mine", "--", "sh", "-c", "echo no room >&2; exit 3 # {port}"], "ended with 3: no room"),
    ],
)
def test_what_cannot_be_tried_is_said(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert add(*arguments) == 1
    assert words in capsys.readouterr().err


def test_a_daemon_is_tried_with_a_group(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        Group.make().remove()
    except NoGroup as error:
        pytest.skip(str(error))
    assert add("odd", "--cpu", "cgroup", "--", sys.executable, str(ODD), "daemon", "{port}") == 0
    assert 'cpu = "cgroup"' in capsys.readouterr().out


def test_tables_go_on_the_screen_and_into_a_file_that_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, str(ODD), "right", "{port}"]
    assert add("one", "--close", "--", *command) == 0
    printed = capsys.readouterr().out
    assert tomllib.loads(printed) == {
        "target": [{"name": "one", "command": command}],
        "scenario": [{"name": "one-work", "path": "/", "body_bytes": 5, "keep_alive": False}],
    }
    assert add("one", "--directory", "/", "--", *command) == 0
    assert tomllib.loads(capsys.readouterr().out)["target"][0]["directory"] == os.path.relpath("/", tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("one", "two"):
        assert add(name, "--to", "sub/my.toml", "--", *command) == 0
    read = experiment.read("sub/my.toml")
    assert [(target.name, target.directory.resolve()) for target in read.target] == [
        ("one", tmp_path),
        ("two", tmp_path),
    ]
    assert add("two", "--to", "sub/my.toml", "--", *command) == 1
    assert "has a target 'two' already" in capsys.readouterr().err
