"""The published texts, read as our own runs are: the tables of the replays say what the seeds said."""

from __future__ import annotations

import pytest

from weir_lab.core.load import LoadPlan
from weir_lab.replay import SEEDS, outputs, published
from weir_lab.replay.seed import Row

PLAN = LoadPlan("", connections=10_000, seconds=20, body_bytes=1024)

WRK = {
    ("seed2", 0): """Running 20s test @ http://localhost:10000
  8 threads and 10000 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    78.96ms  126.97ms   1.82s    94.95%
    Req/Sec     1.98k     1.58k    8.38k    77.88%
  92501 requests in 20.10s, 148.82MB read
  Socket errors: connect 0, read 270, write 0, timeout 1170
Requests/sec:   4601.36
Transfer/sec:      7.40MB
""",
    ("seed2", 1): """    Latency    71.94ms  195.74ms   1.99s    94.37%
  680832 requests in 20.09s, 1.07GB read
  Socket errors: connect 0, read 0, write 0, timeout 1677
Requests/sec:  33886.30
""",
    ("seed3", 0): """    Latency    24.54ms    4.40ms  55.76ms   61.61%
  964738 requests in 5.10s, 213.45MB read
Requests/sec: 189056.92
""",
    ("seed3", 1): """    Latency   315.72us  115.11us   1.89ms   69.38%
  1334778 requests in 5.04s, 295.32MB read
Requests/sec: 265087.32
""",
    ("seed3", 2): """    Latency   508.16us  312.69us   2.44ms   64.82%
  340156 requests in 5.03s, 73.64MB read
Requests/sec:  67645.70
""",
    ("seed3", 3): """    Latency    32.23ms   21.97ms 292.59ms   80.93%
  281007 requests in 5.02s, 60.83MB read
Requests/sec:  55922.15
""",
    ("seed4", 0): """    Latency     2.17ms    3.95ms 240.01ms   89.26%
  7711554 requests in 20.09s, 294.17MB read
  Socket errors: connect 8987, read 0, write 0, timeout 0
Requests/sec: 383928.67
""",
    ("seed4", 1): """    Latency    31.02us   37.16us  15.38ms   99.95%
  4420272 requests in 20.03s, 168.62MB read
  Socket errors: connect 8987, read 0, write 0, timeout 0
Requests/sec: 220632.74
""",
    ("seed4", 2): """    Latency   142.03us  462.59us 205.24ms   99.97%
  415862 requests in 20.09s, 15.86MB read
  Socket errors: connect 19, read 15, write 0, timeout 0
Requests/sec:  20699.89
""",
}


@pytest.mark.parametrize(("where", "text"), WRK.items())
def test_the_table_has_what_the_seed_printed(where: tuple[str, int], text: str) -> None:
    published = SEEDS[where[0]].rows[where[1]].published
    load = outputs.parse("wrk", text, PLAN)
    assert load.errors == published.errors
    assert load.latency.mean == pytest.approx(published.mean_seconds)
    answered = load.requests + load.errors.get("timeout", 0)
    assert published.rate == pytest.approx(answered / load.seconds, rel=2e-3)


def test_wrk_says_how_many_bytes() -> None:
    load = outputs.parse("wrk", WRK["seed4", 0], PLAN)
    assert load.bytes_received and round(load.bytes_received / load.requests) == 40
    assert outputs.parse("wrk", WRK["seed2", 1], PLAN).bytes_received == int(1.07 * (1 << 30))


def test_wrong_statuses_are_no_answers() -> None:
    load = outputs.parse("wrk", "  100 requests in 2.00s, 1.00KB read\n  Non-2xx or 3xx responses: 40\n", PLAN)
    assert (load.requests, load.errors) == (60, {"status": 40})


def test_wrk_that_cannot_connect_has_answered_nothing() -> None:
    assert outputs.parse("wrk", "unable to connect to 127.0.0.1:1 Connection refused\n", PLAN).errors == {
        "connect": 10_000
    }


@pytest.mark.parametrize("tool", ["wrk", "rps", "ab"])
def test_what_cannot_be_read_is_said(tool: str) -> None:
    with pytest.raises(ValueError):
        outputs.parse(tool, "Segmentation fault", PLAN)  # type: ignore[arg-type]


def test_the_rust_client_prints_its_rate_and_its_errors() -> None:
    load = outputs.parse(
        "rps",
        "19822 requests/s\n19980 answered in 1.008 s, 250309440 bytes of content; 8 threads, 8 connections, opened "
        "9 times\n"
        "latency in ms, from the sending: mean 0.201, p50 0.180, p90 0.300, p99 0.900, p999 2.000, max 9.000\nerrors: "
        "12 "
        "connect, 8 read\n",
        PLAN,
    )
    assert (load.requests, load.bytes_received, load.errors) == (19980, 250309440, {"connect": 12, "read": 8})
    assert load.latency.p999 == pytest.approx(0.002)
    assert (
        outputs.parse("rps", "5 answered in 1.000 s, 0 bytes of content; 1 threads\nerrors: none\n", PLAN).errors == {}
    )


def test_ab_is_read_with_no_option_added() -> None:
    load = outputs.parse(
        "ab",
        "Document Length:        1024 bytes\nTime taken for tests:   16.319 seconds\nComplete requests:      10000\n"
        "Failed requests:        0\nHTML transferred:       10240000 bytes\n",
        LoadPlan("", 1, None, 10_000, keep_alive=False, body_bytes=1024),
    )
    assert load.rate == pytest.approx(612.79, rel=1e-3) and load.errors == {}


def row(seed: str, number: int) -> Row:
    return SEEDS[seed].rows[number]


def test_rows_of_theirs_with_missing_connections_would_be_refused() -> None:
    assert "8,987 connect errors" in published.refusal(row("seed4", 0)) and "8,987 connect errors" in published.refusal(
        row("seed4", 1)
    )
    assert "19 connect errors, 15 read errors" in published.refusal(row("seed4", 2))
    assert "1,170 timeout errors" in published.refusal(row("seed2", 0)) and "1,677 timeout errors" in published.refusal(
        row("seed2", 1)
    )


def test_rows_of_theirs_without_errors_would_count() -> None:
    assert [published.refusal(one) for seed in ("seed0", "seed3") for one in SEEDS[seed].rows] == [""] * 18


def test_their_errors_stand_beside_their_rate() -> None:
    said = published.said(row("seed4", 0).published)
    assert (
        said.startswith("383,929/s, mean 2.17 ms; 8,987 connect errors")
        and "1,013 connections were measured, not 10,000" in said
    )
    assert "picture" in published.said(row("seed1", 0).published)
