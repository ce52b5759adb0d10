"""Proxies: which targets are one, set up for the same work, and where the other server runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from test_targets_table import TWO_ENGINES, build_weir

from weir_lab.core.scenario import SCENARIOS
from weir_lab.core.target import AGAIN, CannotServe, ServerSetup
from weir_lab.experiments import experiment
from weir_lab.running import runner
from weir_lab.servers.placement import Placement
from weir_lab.targets import find, names, names_to_build
from weir_lab.user_targets.target import OwnTarget

PROXIES = {"nginx-1", "nginx-4", "haproxy", "caddy"}
SMALL = SCENARIOS["proxy-small"]
FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto")


def setup(folder: Path, workers: int = 2) -> ServerSetup:
    return ServerSetup(1234, folder, folder, workers, (), 100, 4321)


def configured(name: str, scenario: str, folder: Path) -> str:
    command = find(name).command(SCENARIOS[scenario], setup(folder))
    return Path(command[-1]).read_text(encoding="utf-8")


def test_weir_passes_all_paths_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    command = find("weir/many").command(SMALL, setup(tmp_path))
    assert command[:5] == [str(program), "serve", str(tmp_path), "--proxy", "/: http://127.0.0.1:4321"]
    assert command[command.index("--workers") + 1] == "2"
    assert "--proxy" not in find("weir/many").command(SCENARIOS["keep-alive"], setup(tmp_path))


@pytest.mark.parametrize("scenario", ["proxy-small", "proxy-64k", "proxy-idle"])
def test_peers_keep_their_connections_to_the_other_server(scenario: str, tmp_path: Path) -> None:
    nginx = configured("nginx-1", scenario, tmp_path)
    assert "upstream other { server 127.0.0.1:4321; keepalive 200; keepalive_requests 1000000000; }" in nginx
    assert "proxy_http_version 1.1;" in nginx and 'proxy_set_header Connection "";' in nginx
    haproxy = configured("haproxy", scenario, tmp_path)
    assert "http-reuse always" in haproxy and "server other 127.0.0.1:4321" in haproxy and "nbthread 2" in haproxy
    assert "tune.pool-high-fd-ratio 100" in haproxy  # by default it keeps few
    caddy = configured("caddy", scenario, tmp_path)
    assert "reverse_proxy 127.0.0.1:4321 {" in caddy and "keepalive_idle_conns_per_host 200" in caddy


def test_peers_add_the_fields_that_weir_adds(tmp_path: Path) -> None:
    """Caddy does so by itself."""
    for name in ("nginx-1", "haproxy"):
        assert all(field in configured(name, "proxy-small", tmp_path) for field in FORWARDED), name


def test_peers_log_nothing_and_add_no_field_to_the_answer(tmp_path: Path) -> None:
    nginx, caddy = (configured(name, "proxy-small", tmp_path) for name in ("nginx-1", "caddy"))
    assert "access_log off;" in nginx and "output discard" in caddy
    assert "nosniff" not in nginx and "nosniff" not in caddy
    assert "\n    log " not in configured("haproxy", "proxy-small", tmp_path)
    assert "nosniff" in configured("nginx-1", "keep-alive", tmp_path)


def test_who_is_no_proxy_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_weir(tmp_path, monkeypatch, TWO_ENGINES)
    for name in {*names(), *names_to_build()} - PROXIES - {"weir/one", "weir/many"}:
        with pytest.raises(CannotServe, match=r"is set up here as no proxy|serves no files"):
            find(name).command(SMALL, setup(tmp_path))


def test_a_proxy_of_ones_own_is_told_the_port(tmp_path: Path) -> None:
    own = OwnTarget("mine", "", ("proxy", "{port}", "{other_port}"))
    assert own.command(SMALL, setup(tmp_path))[-3:] == ["proxy", "1234", "4321"]
    with pytest.raises(CannotServe, match=r"does not mention \{other_port\}"):
        OwnTarget("mine", "", ("proxy", "{port}")).command(SMALL, setup(tmp_path))


@pytest.mark.parametrize(
    ("cores", "workers", "found"),
    [
        (2, 1, ((0,), (1,), (1,))),
        (2, 2, ((0, 1), (0, 1), (0, 1))),
        (4, 1, ((0,), (2, 3), (1,))),
        (4, 3, ((0, 1, 2), (3,), (3,))),
    ],
)
def test_the_other_server_has_a_core_of_its_own_if_there_are_enough(
    cores: int, workers: int, found: tuple[tuple[int, ...], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)))
    placement = Placement.of(workers, proxied=True)
    assert (placement.server, placement.generator, placement.other) == found
    plain = Placement.of(workers)
    assert plain.other == () and plain.server == found[0]
    assert placement.words().startswith(plain.words()) == (placement.generator == plain.generator)


def test_nothing_is_written_to_the_site(tmp_path: Path) -> None:
    """A proxy has no file that it could answer with."""
    runner.write_files(tmp_path, [SMALL])
    assert list(tmp_path.iterdir()) == []


def test_the_experiment_has_all_four_with_each_work() -> None:
    one = experiment.read("proxy")
    found = {(cell.target.removesuffix(AGAIN), cell.scenario) for cell in one.cells()}
    proxies = ("weir/per-core", "nginx-1", "haproxy", "caddy")
    assert found == {(name, work) for name in proxies for work in ("proxy-small", "proxy-64k", "proxy-idle")}
    assert all(one.rounds_of(cell) >= 5 for cell in one.cells() if cell.scenario != "proxy-idle")
