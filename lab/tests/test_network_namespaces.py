"""A run has a network of its own, for root and for others, and the lab comes back from it."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from weir_lab.network import namespaces
from weir_lab.network.namespaces import Network
from weir_lab.running import machine

pytestmark = pytest.mark.live

LAB = Path(__file__).parents[1]
NOBODY = "65534"


@pytest.fixture
def inside() -> Iterator[Network]:
    with namespaces.private() as network:
        if not network.is_private:
            pytest.skip(network.words())
        yield network


def own() -> str:
    return Path(namespaces.OWN).readlink().name


def test_threads_and_processes_that_start_inside_are_inside_too(inside: Network) -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(own()))
    thread.start()
    thread.join()
    said = subprocess.run(["readlink", "/proc/self/ns/net"], capture_output=True, text=True, check=True).stdout
    assert found == [own()] == [said.strip()]
    assert "network namespace of its own" in inside.words()


def test_its_loopback_is_up_and_its_ports_are_free(inside: Network) -> None:
    with socket.create_server(("127.0.0.1", 80)) as listener, socket.create_connection(listener.getsockname(), 5):
        pass


def test_what_the_machine_was_set_to_holds_inside(inside: Network) -> None:
    namespaces._set("net/core/somaxconn", "99\n")  # of this namespace, which stands for the machine's
    namespaces._set("net/ipv4/ip_local_port_range", "20000\t30000\n")
    with namespaces.private():
        assert machine.client_ports() == 10_001
        assert namespaces._setting("net/core/somaxconn") == "99\n"


def test_the_lab_comes_back() -> None:
    before = own()
    with namespaces.private() as one:
        first = own()
    assert own() == before
    with pytest.raises(ZeroDivisionError), namespaces.private():
        second = own()
        raise ZeroDivisionError
    assert own() == before
    if one.is_private:
        assert len({before, first, second}) == 3


def test_where_it_is_not_allowed_the_lab_stays_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "NEW_NETWORK", -1)  # a flag that no kernel knows
    before = own()
    with namespaces.private() as network:
        assert own() == before
        assert not network.is_private
        assert "shared with all other programs" in network.words()
    check = next(one for one in machine.describe(1).checks if one.name == "network")
    assert not check.fine and "root" in check.advice


def test_who_is_not_root_has_a_network_too() -> None:
    """Through a user namespace. Programs that are started there have no capability more than before."""
    if os.geteuid() != 0:
        pytest.skip("only root becomes somebody else")
    program = (
        "import os, subprocess\n"
        "from weir_lab.network import namespaces\n"
        "namespaces.prepare()\n"
        "with namespaces.private() as network:\n"
        "    print(os.geteuid(), network.is_private, flush=True)\n"
        "    subprocess.run(['grep', 'CapEff', '/proc/self/status'], check=True)\n"
        "with namespaces.private() as network:\n"
        "    print(network.is_private)\n"
    )
    with tempfile.TemporaryDirectory() as folder:  # the lab, where anyone can read it
        subprocess.run(["cp", "-r", str(LAB / "weir_lab"), folder], check=True)
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        done = subprocess.run(
            ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "/usr/bin/python3", "-c", program],
            env={"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    if "False" in done.stdout:
        pytest.skip("user namespaces are not allowed here")
    assert done.stdout.split() == [NOBODY, "True", "CapEff:", "0" * 16, "True"], done.stderr
