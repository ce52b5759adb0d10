"""Peers are set up in the way that the committed sweep found best for each kind of work."""

import os
from pathlib import Path

import pytest
from asking import Asking, request

from weir_lab.cli.documents import RESULTS, WAYS_OF
from weir_lab.core.result import Cell, Result
from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import ServerSetup, is_control
from weir_lab.experiments import experiment
from weir_lab.report.figures import Figures
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets import find, variants
from weir_lab.targets.ways import KINDS, SEPARATOR, kind_of

SWEEP = "peer-settings"


def sweeps() -> list[Path]:
    return sorted(RESULTS.glob(f"*-{SWEEP}/result.json"))


def setup(folder: Path) -> ServerSetup:
    return ServerSetup(1234, folder / "site", folder, 1, (), 100)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_work_is_of_its_own_kind(kind: str) -> None:
    assert kind_of(SCENARIOS[kind]) == kind


def test_all_work_is_of_some_kind() -> None:
    kinds = {name: kind_of(scenario) for name, scenario in SCENARIOS.items() if name not in KINDS}
    others = {"https-handshake": "close", "https-resumed": "close", "https-file-10m": "file-10m"}
    assert kinds == {name: others.get(name, "keep-alive") for name in SCENARIOS if name not in KINDS}


@pytest.mark.parametrize("peer", WAYS_OF)
def test_each_kind_of_work_has_a_way_that_exists(peer: str) -> None:
    ways = WAYS_OF[peer]
    assert set(ways.best) == set(KINDS) and set(ways.best.values()) <= set(ways.settings)
    assert {f"{peer}{SEPARATOR}{way}" for way in ways.settings} <= set(variants())


def test_nginx_is_set_up_for_the_work(tmp_path: Path) -> None:
    """Its command names the way, and so does each run of a result."""
    for name, scenario, way, wanted in (
        ("nginx-1", "keep-alive", "copy", "sendfile off"),
        ("nginx-1", "pipelined", "sendfile", "sendfile on"),
        ("nginx-1+sendfile", "keep-alive", "sendfile", "sendfile on"),
    ):
        configuration = Path(find(name).command(SCENARIOS[scenario], setup(tmp_path))[-1])
        assert configuration.name == f"nginx-{way}.conf" and wanted in configuration.read_text(encoding="utf-8")


@pytest.mark.live
@pytest.mark.parametrize("name", [name for name in variants() if not name.startswith("nginx-4")])
def test_each_way_serves(name: str, tmp_path: Path) -> None:
    target, site, scratch = find(name), tmp_path / "site", tmp_path / "scratch"
    if missing := target.missing():
        pytest.skip(missing)
    scratch.mkdir()
    site.mkdir()
    for scenario in (SCENARIOS["keep-alive"], SCENARIOS["file-100k"]):
        (site / scenario.path[1:]).write_bytes(os.urandom(scenario.body_bytes))
    setup = ServerSetup(free_port(), site, scratch, 1, (), 100)
    with (
        ServerProcess(
            target.command(SCENARIOS["keep-alive"], setup), setup.port, SCENARIOS["keep-alive"].path, scratch
        ) as server,
        Asking(server.port) as client,
    ):
        for scenario in (SCENARIOS["keep-alive"], SCENARIOS["file-100k"]):
            client.send(16 * request(scenario.path))
            assert all(client.answer()[1] == (site / scenario.path[1:]).read_bytes() for _ in range(16))


def test_slow_readers_are_never_gathered_for(tmp_path: Path) -> None:
    assert find("hyper").command(SCENARIOS["slow-readers"], setup(tmp_path))[-1] == "no"
    assert find("hyper").command(SCENARIOS["slow-senders"], setup(tmp_path))[-1] == "yes"


def test_the_sweep_measures_each_way_beside_the_one_that_is_taken() -> None:
    cells = [cell for cell in experiment.read(SWEEP).cells() if not is_control(cell.target)]
    for peer, ways in WAYS_OF.items():
        measured = {cell.target.partition(SEPARATOR)[2] for cell in cells if cell.target.startswith(peer)}
        assert measured == set(ways.settings)


@pytest.mark.skipif(not sweeps(), reason="no sweep is committed")
@pytest.mark.parametrize("peer", WAYS_OF)
def test_the_committed_sweep_knows_no_better_way(peer: str) -> None:
    """The way that is taken has the least mean, or can't be told from the way that has it."""
    figures = Figures(Result.load(sweeps()[-1]))
    worse = []
    for kind, taken in WAYS_OF[peer].best.items():
        cells = {way: Cell(kind, 100, "wrk", f"{peer}{SEPARATOR}{way}", 1) for way in WAYS_OF[peer].settings}
        best = figures.best(cells.values(), "cpu")
        ratio = figures.ratio(cells[taken], best, "cpu") if best and best != cells[taken] else None
        if best and (figures.summary(cells[taken], "cpu") is None or (ratio and ratio.is_told)):
            worse.append(f"{kind}: {best.target} costs less than {taken}")
    assert not worse
