"""Servers that tell the truth pass everything that finds out those that don't."""

import pytest
from lying import BadTarget, Lab

from weir_lab.core.target import Target
from weir_lab.targets.floor import Floor
from weir_lab.targets.nginx import Nginx
from weir_lab.targets.weir import Weir

pytestmark = pytest.mark.live


@pytest.mark.parametrize("scenario", ["keep-alive", "close", "pipelined"])
@pytest.mark.parametrize("target", [BadTarget("right"), Weir("per-core"), Nginx(1)], ids=lambda one: one.name)
def test_is_not_refused(target: Target, scenario: str, lab: Lab) -> None:
    if missing := target.missing():
        pytest.skip(missing)
    run = lab.honest(target, scenario)
    assert run.trust and run.trust.sampled and run.trust.sampled.answers > 0 and run.trust.sampled.wrong == {}
    assert run.trust.validated and run.trust.validated.not_asked == []


def test_what_a_floor_is_not_asked_is_in_the_result(lab: Lab) -> None:
    floor = Floor("epoll")
    if missing := floor.missing():
        pytest.skip(missing)
    run = lab.honest(floor)
    assert run.trust and run.trust.validated
    assert run.trust.validated.not_asked == ["head", "404", "content"]
    assert run.trust.validated.asked == ["get", "keep-alive", "new connections", "close"]


def test_an_engine_that_holds_a_thread_for_each_connection_is_not_sampled(lab: Lab) -> None:
    blocking = Weir("blocking")
    if missing := blocking.missing():
        pytest.skip(missing)
    lab.connections = 1
    run = lab.honest(blocking)
    assert run.trust and run.trust.sampled and run.trust.sampled.answers == 0 and "too few" in run.trust.sampled.why_not


@pytest.mark.parametrize("scenario", ["sleep", "timer"])
def test_a_handler_is_asked_for_its_length_and_for_the_same_content_each_time(scenario: str, lab: Lab) -> None:
    target = Weir("per-core")
    if missing := target.missing():
        pytest.skip(missing)
    run = lab.honest(target, scenario)
    assert run.trust and run.trust.validated and run.trust.validated.not_asked == ["404", "content"]
    assert run.trust.sampled and 0 < run.trust.sampled.answers < 100, "2 % of what one connection could ask for"
