"""Runs a target for a test, without a generator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup, Target
from weir_lab.servers.server_process import ServerProcess, free_port


def wanted(target: Target) -> Target:
    """Skips the test where it is not here."""
    if missing := target.missing():
        pytest.skip(missing)
    return target


@contextmanager
def running(target: Target, scenario: Scenario, site: Path, scratch: Path, workers: int = 1) -> Iterator[ServerProcess]:
    setup = ServerSetup(free_port(), site, scratch, target.workers(workers), (), 100)
    try:
        command = target.command(scenario, setup)
    except CannotServe as why:
        pytest.skip(str(why))
    with ServerProcess(command, setup.port, scenario.path, scratch) as server:
        yield server
