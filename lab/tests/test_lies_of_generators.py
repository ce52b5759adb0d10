"""Generators that lie about a right server."""

import pytest
from lying import Lab

pytestmark = pytest.mark.live


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("half of the time", ["the generator says that it took 0.5", "but it was given 1 s"]),
        ("twice the time", ["by the lab's clock, but says that it took 1."]),
        ("counts twice", ["but by the kernel's count"]),
        ("few connections", ["connections of 20 were open"]),
    ],
)
def test_is_refused(how: str, words: list[str], lab: Lab) -> None:
    run = lab.generator(how)
    assert run.load and run.load.requests > 0
    assert any(all(one in reason for one in words) for reason in run.refused), run.refused


def test_answers_under_close_need_a_connection_each(lab: Lab) -> None:
    run = lab.generator("counts twice", "close")
    if run.network.startswith("shared"):
        pytest.skip("no network of the run's own: nobody counts accepts")
    assert any("are said to have come on a connection each" in reason for reason in run.refused), run.refused
