"""A network with the MTU of the internet, and one of two namespaces. Servers listen on 127.0.0.1 in both."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from reading import exactly

from weir_lab.core.networks import Kind
from weir_lab.core.result import Cell
from weir_lab.counting import traffic
from weir_lab.network import devices, links, namespaces
from weir_lab.network.links import CannotLay
from weir_lab.network.namespaces import SHARED, Network
from weir_lab.running.measurement import Order, measure
from weir_lab.targets import find as find_target

pytestmark = pytest.mark.live

DEVICES = Path("/proc/thread-self/net/dev")


@pytest.fixture
def private() -> Iterator[Network]:
    with namespaces.private() as network:
        if not network.is_private:
            pytest.skip(network.words())
        yield network


def test_the_mtu_of_the_internet(private: Network) -> None:
    with links.laid("mtu-1500", private) as network, socket.create_server(("127.0.0.1", 0)) as listener:
        assert "MTU of 1,500" in network.words() and network.is_private
        with socket.create_connection(listener.getsockname(), 5) as client:
            assert client.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG) < 1500


def test_over_a_cable_the_server_is_reached_at_its_loopback(private: Network) -> None:
    with (
        links.laid("veth", private) as network,
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname(), 5) as of_the_lab,
    ):
        listener.accept()[0].close()
        before = traffic.counts()
        with network.at_clients():
            assert "veth" in network.words()
            with pytest.raises(OSError):  # its own loopback is down, and nobody listens at the server's other ports
                socket.create_connection(("192.0.2.2", 1), 0.2)
            client = socket.create_connection(listener.getsockname(), 5)
        served, address = listener.accept()
        with client, served:
            assert address[0] == links.CLIENT_ADDRESS and client.getpeername() == listener.getsockname()
            served.sendall(b"x" * 100_000)
            assert len(exactly(client, 100_000)) == 100_000
            counted = traffic.counts() - before
            assert counted.accepts == 1
        assert of_the_lab.recv(1) == b""


def test_programs_that_the_lab_starts_there_are_the_clients(private: Network) -> None:
    with links.laid("veth", private) as network:
        with network.at_clients():
            there = subprocess.run(["readlink", "/proc/self/ns/net"], capture_output=True, text=True, check=True).stdout
            assert there.strip() == Path(namespaces.OWN).readlink().name
        assert there.strip() != Path(namespaces.OWN).readlink().name
        assert links.CABLE in DEVICES.read_text(encoding="ascii")


@pytest.mark.parametrize("kind", ["mtu-1500", "veth"])
def test_the_machines_own_network_is_never_changed(kind: Kind) -> None:
    before = DEVICES.read_text(encoding="ascii").count("\n")
    with pytest.raises(CannotLay, match="wants a namespace of its own"), links.laid(kind, SHARED):
        pass
    assert DEVICES.read_text(encoding="ascii").count("\n") == before


@pytest.mark.parametrize(("scenario", "words"), [("keep-alive-mtu-1500", "MTU of 1,500"), ("keep-alive-veth", "veth")])
def test_a_whole_run(scenario: str, words: str, tmp_path: Path) -> None:
    if missing := find_target("weir/per-core").missing():
        pytest.skip(missing)
    (tmp_path / "1024.bin").write_bytes(b"x" * 1024)
    run = measure(Order(Cell(scenario, 10, "wrk", "weir/per-core", 1), 0, 2.0, 0.0, tmp_path))
    if "wants a namespace" in "".join(run.refused):
        pytest.skip(run.refused[0])
    assert words in run.network and run.load and run.load.requests > 0 and run.load.errors == {}, run.refused
    assert not any("bytes came" in reason or "accepted" in reason for reason in run.refused), run.refused


def test_a_kernel_without_the_cable_says_so(private: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("Operation not supported")

    monkeypatch.setattr(devices, "add_cable", refuse)
    before = Path(namespaces.OWN).readlink()
    with pytest.raises(CannotLay, match="veth here: Operation not supported"), links.laid("veth", private):
        pass
    assert Path(namespaces.OWN).readlink() == before
