"""BackgroundConnections that the lab brings along is borne by whoever serves large files: with no copy of one for each
who reads it slowly."""

from dataclasses import replace
from pathlib import Path

import pytest

from weir_lab.clients.background import BackgroundConnections
from weir_lab.core.scenario import MIB, SCENARIOS
from weir_lab.core.target import ServerSetup
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets import find

LARGE_BYTES = 10 * MIB
READERS = 20
SCENARIO = replace(SCENARIOS["slow-readers"], slow_readers=READERS, slow_senders=5, idle_connections=50)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for size in (SCENARIO.body_bytes, LARGE_BYTES):
        (folder / f"{size}.bin").write_bytes(bytes(size))
    return folder


PEERS = ("nginx-1", "h2o", "lighttpd", "caddy", "hyper")


@pytest.mark.parametrize(
    "name",
    ["weir/per-core", "weir/io-uring", "weir/reactor", *(pytest.param(name, marks=pytest.mark.live) for name in PEERS)],
)
def test_slow_readers_cost_no_copies(name: str, site: Path, tmp_path: Path) -> None:
    target = find(name)
    if missing := target.missing():
        pytest.skip(missing)
    setup = ServerSetup(free_port(), site, tmp_path, 1, (), 100)
    with ServerProcess(target.command(SCENARIO, setup), setup.port, SCENARIO.path, tmp_path) as server:
        before = server.resident_bytes()
        with BackgroundConnections(SCENARIO, setup.port) as background:
            assert (background.open(), background.lost()) == (READERS + 5 + 50, 0)
            # The file itself may be there once.
            assert server.resident_bytes() - before < READERS * LARGE_BYTES / 4
