"""Fixtures of several tests."""

from pathlib import Path

import pytest
from lying import Lab

from weir_lab.generators import program
from weir_lab.targets.peer import DebianProgram


@pytest.fixture(autouse=True)
def ours_alone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that is not live finds no generator and no server of other people, so it is the same on every machine."""
    if "live" not in request.keywords:
        monkeypatch.setattr(program, "find", lambda name, built=None: None)
        monkeypatch.setattr(DebianProgram, "path", lambda self: self.program)


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lab:
    return Lab(monkeypatch, tmp_path)
