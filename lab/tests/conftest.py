"""Fixtures of several tests."""

from pathlib import Path

import pytest
from lying import Lab


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Lab:
    return Lab(monkeypatch, tmp_path)
