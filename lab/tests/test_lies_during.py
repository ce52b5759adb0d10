"""Servers that are right until they are measured, and lie then. What finds them out: the lab's own requests, the sum of
all bytes, and the kernel's count of accepted connections."""

import pytest
from lying import Lab

from weir_lab.counting import windows
from weir_lab.running import machine

pytestmark = pytest.mark.live

SAMPLED = "sampled answers were wrong: "
BYTES = "bytes came, but"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("later 302", ["the server answers with status 302, not 200"]),
        ("later zeros", ["the content is not the right one"]),
        ("later ten short", ["the server answers 1014 bytes, not 1024", BYTES]),
        ("later same sum", ["the server answers 1027 bytes, not 1024"]),
        ("zeros on new connections", ["the content is not the right one"]),
        ("500", ["the server answers with status 500, not 200", "status errors"]),
        ("short", ["the server answers 100 bytes, not 1024", BYTES]),
    ],
)
def test_the_labs_own_requests_see_it(how: str, words: list[str], lab: Lab) -> None:
    sampled, *others = words
    run = lab.server(how)
    assert run.trust and run.trust.sampled and run.trust.sampled.answers > 0
    assert any(SAMPLED in reason and sampled in reason for reason in run.refused), run.refused
    assert all(any(one in reason for reason in run.refused) for one in others), run.refused


@pytest.mark.parametrize("how", ["1 % empty", "1 % 304", "2 % half"])
def test_the_sum_of_all_bytes_shows_it(how: str, lab: Lab) -> None:
    run = lab.server(how)
    assert any(BYTES in reason for reason in run.refused), run.refused


def test_one_answer_in_a_hundred_is_found_among_enough(lab: Lab) -> None:
    lab.seconds = 3.0
    run = lab.server("1 % zeros")
    assert run.trust and run.trust.sampled and run.trust.sampled.answers > 300
    assert any(SAMPLED in reason and "the content is not the right one" in reason for reason in run.refused)


def test_the_status_of_close_answers_is_seen_too(lab: Lab) -> None:
    run = lab.server("later 302", "close")
    assert any(SAMPLED in reason and "status 302" in reason for reason in run.refused), run.refused


def test_a_connection_that_wrk_opens_again_is_counted(lab: Lab) -> None:
    lab.connections, lab.seconds = 2, 2.0
    run = lab.server("closes each thousand")
    if run.network.startswith("shared"):
        pytest.skip("no network of the run's own: nobody counts accepts")
    assert any("connections, and 2 were asked for: some were closed" in reason for reason in run.refused), run.refused


def test_a_connection_that_ends_in_place_of_an_answer_is_an_error(lab: Lab) -> None:
    lab.connections = 200
    run = lab.server("drop")
    assert run.load and run.load.requests > 0
    assert any("read errors" in reason for reason in run.refused), run.refused


def test_a_thousand_connections_of_ten_thousand_are_not_ten_thousand(lab: Lab) -> None:
    machine.raise_descriptor_limit()
    lab.connections, lab.seconds = 10_000, 3.0
    run = lab.server("thousand")
    assert any("connections of 10,000 were open" in reason or "connect errors" in reason for reason in run.refused), (
        run.refused
    )


def test_a_server_that_says_nothing_more_has_answered_nothing_more(lab: Lab) -> None:
    lab.seconds = 3.0  # its last answer comes before the steady part
    run = lab.server("silent")
    assert windows.NO_ANSWERS in run.refused and run.load and run.load.requests < 1000
    assert run.trust and run.trust.sampled and run.trust.sampled.unfinished > 0
