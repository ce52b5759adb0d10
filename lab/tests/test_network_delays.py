"""Clients that are far away: the proxy delays what they send and changes nothing of it."""

from __future__ import annotations

import contextlib
import os
import random
import select
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from reading import exactly

from weir_lab.cli import needs
from weir_lab.core import built
from weir_lab.core.networks import Clients
from weir_lab.core.result import Cell
from weir_lab.core.scenario import SCENARIOS
from weir_lab.network import delays, namespaces
from weir_lab.network.delays import Distance
from weir_lab.network.links import CannotLay
from weir_lab.network.namespaces import SHARED
from weir_lab.running.measurement import Order, measure
from weir_lab.targets import find as find_target

CONTENT = random.Random(7).randbytes(1_000_000)


@pytest.fixture(autouse=True)
def proxy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    if because := delays.missing():
        pytest.skip(because)
    monkeypatch.setattr(delays, "_netem", lambda *_: False)


@contextlib.contextmanager
def echo() -> Iterator[int]:
    """The port of a server that sends back what it gets, until there is no more."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:

        def serve(one: socket.socket) -> None:
            with one, contextlib.suppress(OSError):
                while data := one.recv(65536):
                    one.sendall(data)

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@contextlib.contextmanager
def away(*clients: Clients) -> Iterator[Distance]:
    with echo() as port, delays.between(clients, port, SHARED, ()) as distance:
        yield distance


def connected(distance: Distance) -> socket.socket:
    return socket.create_connection(("127.0.0.1", distance.port), 20)


def round_trip(one: socket.socket) -> float:
    began = time.monotonic()
    one.sendall(b"x")
    assert one.recv(1) == b"x"
    return time.monotonic() - began


def test_an_answer_takes_the_round_trip_and_the_first_one_the_handshake_too() -> None:
    with away(Clients(1.0, 0.05)) as distance:
        began = time.monotonic()
        with connected(distance) as one:
            round_trip(one)
            assert time.monotonic() - began >= 0.1
            assert round_trip(one) >= 0.05
        assert distance.by.startswith("the lab's delay proxy: 100% of the clients: 50 ms")
    assert distance.passed_on == 4 and distance.cpu_seconds() == 0


def test_what_passes_is_not_changed_and_ends_with_its_end() -> None:
    with away(Clients(1.0, 0.002)) as distance, connected(distance) as one:

        def send() -> None:
            one.sendall(CONTENT)
            one.shutdown(socket.SHUT_WR)

        sender = threading.Thread(target=send)
        sender.start()
        received = bytearray()
        while data := one.recv(65536):
            received += data
        sender.join()
        assert bytes(received) == CONTENT


def test_a_client_that_does_not_read_stops_the_server() -> None:
    """Else the proxy would keep all of a large file, and the server would never wait."""
    with away(Clients(1.0, 0.001)) as distance, connected(distance) as one:
        one.setblocking(False)
        sent = 0
        with contextlib.suppress(BlockingIOError):
            while sent < 64_000_000:
                sent += one.send(CONTENT)
        assert sent < 64_000_000


def test_each_kind_of_clients_has_its_share() -> None:
    with away(Clients(0.75, 0.001), Clients(0.25, 3600.0)) as distance, contextlib.ExitStack() as ends:
        asked = [ends.enter_context(connected(distance)) for _ in range(8)]
        for one in asked:
            one.sendall(b"x")
        answered: set[socket.socket] = set()
        while len(answered) < 6:
            ready, _, _ = select.select([one for one in asked if one not in answered], [], [], 60)
            assert ready
            answered |= set(ready)
        assert len(answered) == 6 and all(one.recv(1) == b"x" for one in answered)


def test_bandwidth_is_limited() -> None:
    with away(Clients(1.0, 0.001, bytes_per_second=1_000_000)) as distance, connected(distance) as one:
        began = time.monotonic()
        one.sendall(CONTENT[:200_000])
        assert exactly(one, 200_000) == CONTENT[:200_000]
        assert time.monotonic() - began >= 0.2


def test_a_loss_delays_what_comes_after_it() -> None:
    with away(Clients(1.0, 0.01, loss=0.999)) as distance, connected(distance) as one:
        assert round_trip(one) >= 2 * 0.2


def test_a_connection_that_the_server_breaks_is_broken_for_the_client() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        delays.between((Clients(1.0, 0.001),), listener.getsockname()[1], SHARED, ()) as distance,
        connected(distance) as one,
    ):
        one.sendall(b"hello")
        served, _ = listener.accept()
        assert served.recv(5) == b"hello"
        served.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        served.close()  # with a reset
        assert one.recv(1) == b""


def test_the_proxy_counts_what_was_late() -> None:
    distance = Distance(1, SHARED, "the lab's delay proxy", None, passed_on=1000, late=15)
    assert distance.reasons() == []
    distance.late = 30
    assert distance.reasons() == ["the delay proxy was the limit: 3% of the data came late"]


def unread(port: int) -> int:
    """Bytes that the server at this port has not read (proc(5), /proc/net/tcp)."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return sum(int(queues.partition(":")[2], 16) for _, own, _, _, queues, *_ in lines if own.endswith(f":{port:04X}"))


def test_a_proxy_that_is_stopped_for_a_while_is_late() -> None:
    """What it passes on after that came too late: it had read it, and could not send it when it was due."""
    kept = 0.2
    with away(Clients(1.0, 2 * kept)) as distance, connected(distance) as one:
        assert distance.pid
        round_trip(one)
        stopped_in_time = False
        while not stopped_in_time:
            began = time.monotonic()
            one.sendall(b"x")
            while unread(distance.port):
                pass
            os.kill(distance.pid, signal.SIGSTOP)
            stopped = time.monotonic()
            stopped_in_time = stopped < began + kept
            while time.monotonic() < stopped + 1.5 * kept:
                pass
            os.kill(distance.pid, signal.SIGCONT)
            assert one.recv(1) == b"x"
    assert distance.late >= 1 and distance.reasons()


@pytest.mark.live
def test_its_connections_are_not_the_servers() -> None:
    with namespaces.private() as network:
        if not network.is_private:
            pytest.skip(network.words())
        with echo() as port, delays.between((Clients(1.0, 0.001),), port, network, ()) as distance:
            here = Path(namespaces.OWN).readlink()
            with distance.network.at_clients():
                assert Path(namespaces.OWN).readlink() != here
                one = connected(distance)
            with one:
                round_trip(one)
            with pytest.raises(ConnectionRefusedError):
                connected(distance)


def test_without_the_program_the_run_says_how_to_build_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "native", lambda _: Path("/no/such/proxy"))
    with pytest.raises(CannotLay, match="cmake"), away(Clients(1.0, 0.001)):
        pass


def test_through_a_cable_only_the_kernel_delays() -> None:
    with namespaces.private() as network:
        cable = namespaces.Network(clients=3)
        with pytest.raises(CannotLay, match="cable"), delays.between((Clients(1.0, 0.001),), 1, cable, ()):
            pass
    assert network.clients is None


def test_an_experiment_with_far_clients_needs_the_proxy(tmp_path: Path) -> None:
    text = '[[matrix]]\ntargets = ["weir/per-core"]\nscenarios = ["{}"]\nconnections = [10]\n'
    for scenario, wanted in (("mobile", True), ("keep-alive", False)):
        path = tmp_path / f"{scenario}.toml"
        path.write_text(f'title = "t"\n{text.format(scenario)}', encoding="utf-8")
        assert ("floor" in needs.of_experiment(str(path))) is wanted


@pytest.mark.live
def test_a_whole_run(tmp_path: Path) -> None:
    if missing := find_target("weir/per-core").missing():
        pytest.skip(missing)
    (tmp_path / "1024.bin").write_bytes(b"x" * 1024)
    run = measure(Order(Cell("keep-alive-20ms", 10, "wrk", "weir/per-core", 1), 0, 2.0, 0.0, tmp_path))
    assert run.load and run.load.latency.p50 and run.load.latency.p50 >= 0.02, run.refused
    assert run.load.rate <= 10 / 0.02
    assert "delay proxy" in run.network and "20 ms" in run.network
    assert not any("accepted" in reason or "connections" in reason for reason in run.refused), run.refused


def test_the_shares_of_each_scenario_make_a_whole() -> None:
    for scenario in SCENARIOS.values():
        assert not scenario.clients or sum(one.share for one in scenario.clients) == pytest.approx(1.0)
