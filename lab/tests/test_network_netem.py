"""Where the kernel has netem, it delays. Most kernels of this lab's tests have not: tc is a stand-in."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from weir_lab.core.networks import Clients
from weir_lab.network import delays
from weir_lab.network.namespaces import SHARED, Network

PRIVATE = Network()


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "tc"
    program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/told\n', encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path / "told"


def test_each_way_takes_half_of_the_round_trip(told: Path) -> None:
    with delays.between((Clients(1.0, 0.020, loss=0.01),), 8080, PRIVATE, ()) as distance:
        assert (distance.port, distance.pid, distance.reasons()) == (8080, None, [])
        assert distance.by == "netem: 100% of the clients: 20 ms, 1.0% loss"
    assert told.read_text(encoding="ascii") == (
        "qdisc add dev lo root netem limit 1000000 delay 10000us loss 1.0000%\n"
    )


@pytest.mark.parametrize(
    ("clients", "network"),
    [
        ((Clients(0.5, 0.02), Clients(0.5, 0.01)), PRIVATE),  # netem treats all alike
        ((Clients(1.0, 0.02, bytes_per_second=1000),), PRIVATE),
        ((Clients(1.0, 0.02),), SHARED),  # it would delay whatever this machine does
    ],
)
def test_what_netem_is_not_asked_for(clients: tuple[Clients, ...], network: Network, told: Path) -> None:
    assert not delays._netem(clients, network)
    assert not told.exists()


def test_a_kernel_without_it_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tc"
    program.write_text("#!/bin/sh\necho 'Error: Specified qdisc kind is unknown.' >&2\nexit 2\n", encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not delays._netem((Clients(1.0, 0.02),), PRIVATE)
    monkeypatch.setenv("PATH", "/no/such/place")
    assert not delays._netem((Clients(1.0, 0.02),), PRIVATE)
