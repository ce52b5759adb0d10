"""How long a generator may take, and where it runs."""

import os
import sys

import pytest

from weir_lab.core.load import LoadPlan
from weir_lab.running import measurement


@pytest.fixture(autouse=True)
def no_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measurement, "GENERATOR_GRACE_SECONDS", 0.0)


def test_one_that_was_given_a_time_is_given_up_on_past_it() -> None:
    plan = LoadPlan(url="", connections=1, seconds=0.1)
    assert measurement._run(["sleep", "infinity"], plan, 0.1) == ("", "the generator did not end in time")


def test_one_that_was_given_a_number_of_requests_takes_as_long_as_it_needs() -> None:
    plan = LoadPlan(url="", connections=1, seconds=None, requests=500_000)
    assert measurement._run(["sleep", "0.3"], plan, 0.1) == ("", "")


def test_a_generator_runs_on_its_cores_only() -> None:
    core = max(os.sched_getaffinity(0))
    plan = LoadPlan(url="", connections=1, seconds=None, cores=(core,))
    output, failed = measurement._run([sys.executable, "-c", "import os; print(os.sched_getaffinity(0))"], plan, 0.1)
    assert (output.strip(), failed) == (f"{{{core}}}", "")


def test_a_generator_that_does_not_exist_has_failed() -> None:
    plan = LoadPlan(url="", connections=1, seconds=None, cores=(min(os.sched_getaffinity(0)),))
    assert "No such file or directory" in measurement._run(["/no/such/generator"], plan, 0.1)[1]
