"""Servers that leave the family of the process that the lab started: those that daemonise, and those in containers."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from asking import Asking, request

from weir_lab.core.target import ServerSetup
from weir_lab.kernel.cgroups import Group, NoGroup
from weir_lab.servers.server_process import DidNotStart, ServerProcess, free_port
from weir_lab.servers.starting import Start
from weir_lab.user_targets.members import InContainer, InGroup
from weir_lab.user_targets.target import container_command

BURNT_SECONDS = 0.2  # by each answer
DEADLINE_SECONDS = 60.0
SERVER = f"""
import http.server, os, sys, time
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        until = time.process_time() + {BURNT_SECONDS}
        while time.process_time() < until:
            pass
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")
if sys.argv[2] == "daemon" and (os.fork() or os.setsid() or os.fork()):
    os._exit(0)
print("now I listen", flush=True)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
# As docker's command line, but the container is only a control group.
DOCKER = f"""#!{sys.executable}
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from pathlib import Path
from weir_lab.kernel.cgroups import Group
state = Path(__file__).with_suffix(".pid")
if sys.argv[1] == "run":
    words = sys.argv[sys.argv.index("image") + 1:]
    if os.fork() == 0:
        state.write_text(str(os.getpid()))
        command = Group.make().around(words)
        os.execvp(command[0], command)
    os.wait()
elif sys.argv[1] == "inspect":
    print(state.read_text())
elif sys.argv[1] == "rm" and state.exists():
    os.kill(int(state.read_text()), 9)
    state.unlink()
"""


@pytest.fixture(autouse=True)
def group() -> Iterator[None]:
    try:
        Group.make().remove()
    except NoGroup as error:
        pytest.skip(str(error))
    yield


def use(server: ServerProcess) -> None:
    with Asking(server.port) as client:
        for _ in range(2):
            client.send(request("/"))
            client.answer()


def used(server: ServerProcess) -> float:
    """Seconds of CPU for two answers, by the clock of the steady part and by the count for the whole run alike."""
    with server.clock() as clock:
        before, by_clock = server.cpu(), clock.seconds()
        use(server)
        seconds, by_clock = (server.cpu() - before).seconds, clock.seconds() - by_clock
    assert clock.name == "cgroup" and by_clock == pytest.approx(seconds, abs=BURNT_SECONDS / 4)
    return seconds


def is_gone(pid: int) -> bool:
    until = time.monotonic() + DEADLINE_SECONDS
    while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
        time.sleep(0.01)
    return not Path(f"/proc/{pid}").exists()


def test_a_server_that_daemonises_is_counted_by_its_group(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-c", SERVER, str(port), "daemon"]
    with ServerProcess(command, port, "/", tmp_path, start=Start(InGroup(Group.make()))) as server:
        assert used(server) >= 2 * BURNT_SECONDS * 0.9
        assert not server.has_ended()
        assert server.resident_bytes() > 1_000_000 and server.context_switches() > 0
        pid = server.pid
        assert pid != os.getpid() and Path(f"/proc/{pid}/cmdline").read_bytes().endswith(b"daemon\0")
    assert is_gone(pid)


def test_without_a_group_it_has_ended_as_far_as_the_lab_knows(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-c", SERVER.replace("os._exit(0)", "os._exit(3)"), str(port), "daemon"]
    group = Group.make()
    with (
        pytest.raises(DidNotStart, match="ended with 3"),
        ServerProcess(group.around(command), port, "/", tmp_path, start=Start(ready="never")),
    ):
        pass
    InGroup(group).end()
    assert not group.folder.exists()


def test_a_container_is_counted_by_its_own_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker = tmp_path / "docker"
    docker.write_text(DOCKER, encoding="utf-8")
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    setup = ServerSetup(free_port(), tmp_path, tmp_path, 1, (0,), 10)
    words = [sys.executable, "-c", SERVER, str(setup.port), "stays"]
    command = container_command("image", words, {"A": "b"}, setup)
    assert command[:2] == [str(docker), "run"]
    assert {"--network=host", "--cpuset-cpus=0", "--env=A=b", f"--volume={tmp_path}:{tmp_path}:ro"} <= {*command}
    members = InContainer(str(docker), f"weir-lab-{setup.port}")
    with ServerProcess(command, setup.port, "/", tmp_path, start=Start(members)) as server:
        assert used(server) >= 2 * BURNT_SECONDS * 0.9
        pid = server.pid
        assert server.resident_bytes() > 1_000_000
    assert is_gone(pid)


@pytest.mark.parametrize("ready", ["now I listen", "/ready"])
def test_a_server_is_ready_when_it_says_so(ready: str, tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-c", SERVER, str(port), "stays"]
    with ServerProcess(command, port, "/", tmp_path, start=Start(ready=ready)) as server:
        assert server.body_bytes == 2
        assert ("/ready" in server.said()) == (ready == "/ready")


def test_what_it_did_not_say_is_in_the_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weir_lab.servers.server_process.START_SECONDS", 0.5)
    port = free_port()
    command = [sys.executable, "-c", SERVER, str(port), "stays"]
    with (
        pytest.raises(DidNotStart, match="it did not print 'hello'"),
        ServerProcess(command, port, "/", tmp_path, start=Start(ready="hello")),
    ):
        pass
