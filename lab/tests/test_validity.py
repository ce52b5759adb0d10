"""Each rule refuses what it is for, in words; and a good run passes them all."""

from dataclasses import replace
from pathlib import Path

import pytest

from weir_lab.core.findings import Sampled, Trust, Worker
from weir_lab.core.load import Latency, Load
from weir_lab.core.result import Cell, Machine, Result, Run, ServerUse
from weir_lab.core.scenario import SCENARIOS
from weir_lab.statistics.measures import MEASURES
from weir_lab.verify.validity import Circumstances, limit, reasons

HEAD = 200
LOAD = Load(
    requests=100_000, seconds=2.0, bytes_received=100_000 * (1024 + HEAD), latency=Latency(mean=0.002), connections=100
)
RUN = Run(
    Cell("keep-alive", 100, "wrk", "weir/per-core", 1),
    0,
    "",
    LOAD,
    ServerUse(0.5, 1.4, established=100),
    generator_cpu_seconds=1.2,
    other_cpu_seconds=0.05,
)
AROUND = Circumstances(
    SCENARIOS["keep-alive"], server_cores=1, generator_cores=1, head_bytes=HEAD, ports=28_000, time_wait=100
)


def load(**changes: object) -> Run:
    return replace(RUN, load=replace(LOAD, **changes))  # type: ignore[arg-type]


def test_a_good_run_counts() -> None:
    assert reasons(RUN, AROUND) == []


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (load(errors={"connect": 0, "read": 3, "timeout": 2}), ["3 read errors, 2 timeout errors"]),
        (load(errors={"status": 1}), ["1 status errors"]),
        (load(requests=0), ["no request was answered"]),
        (load(connections=99), ["the generator opened 99 connections of 100"]),
        (replace(RUN, server=ServerUse(0.5, 1.4, established=99)), ["99 connections of 100 were open"]),
        (load(bytes_received=99_000 * (1024 + HEAD) - 100_000 * 20), ["bytes came, but 100,000 answers have"]),
        (load(bytes_received=102_000 * (1024 + HEAD)), ["bytes came"]),
        (load(bytes_received=99_900 * (1024 + HEAD)), ["bytes came"]),
        (load(latency=Latency(mean=0.003)), ["Little's law is broken"]),
        (replace(RUN, asked_rate=60_000.0), ["50,000 requests/s came, and 60,000 were asked for"]),
        (replace(RUN, other_cpu_seconds=0.5), ["the machine was disturbed: other programs used 25%"]),
    ],
)
def test_what_cannot_be_true_is_refused(run: Run, words: list[str]) -> None:
    found = reasons(run, AROUND)
    assert len(found) == len(words)
    for reason, word in zip(found, words, strict=True):
        assert word in reason


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"server_ended": True}, "the server ended"),
        ({"time_wait": 26_000}, "ports ran out"),
        ({"background": 50, "background_lost": 2}, "2 of the 50 background connections were lost"),
    ],
)
def test_circumstances_refuse_too(changes: dict[str, int], words: str) -> None:
    run = replace(RUN, server=ServerUse(0.5, 1.4, established=150))
    found = reasons(run, replace(AROUND, **changes))  # type: ignore[arg-type]
    assert len(found) == 1 and words in found[0]


def test_background_connections_count_as_connections() -> None:
    assert "100 connections of 150 were open" in reasons(RUN, replace(AROUND, background=50))[0]


def test_a_generator_at_its_limit_sets_the_pace_but_not_the_cost() -> None:
    run = replace(RUN, server=ServerUse(0.3, 0.9, established=100), generator_cpu_seconds=1.98)
    assert reasons(run, AROUND) == []
    assert "the load generator was the limit (99% of its cores" in limit(run, AROUND)
    run = replace(run, limited=limit(run, AROUND))
    assert MEASURES["rate"].bound(run) == "at least" and MEASURES["p99"].bound(run) == "limited"
    assert MEASURES["cpu"].of(run) == pytest.approx(1.2e-5)


def test_the_labs_own_requests_are_on_the_generators_cores_and_among_the_servers_answers() -> None:
    trust = Trust(sampled=Sampled(answers=25_000, cpu_seconds=0.1))
    run = replace(RUN, server=ServerUse(0.3, 0.9, established=100), generator_cpu_seconds=1.81)
    assert limit(run, AROUND) == ""
    assert "the load generator was the limit (96% of its cores" in limit(replace(run, trust=trust), AROUND)
    assert run.cpu_per_request == pytest.approx(1.2e-5)
    assert replace(run, trust=trust).cpu_per_request == pytest.approx(1.2 / 125_000)


def test_the_other_server_of_a_proxy_is_at_a_limit_as_a_generator_is() -> None:
    run = replace(RUN, server=ServerUse(0.3, 0.9, established=100), other_server_cpu_seconds=0.75)
    assert limit(run, AROUND).startswith(
        "the load generator, with the other server on its cores, was the limit (98% of its cores"
    )
    apart = replace(AROUND, other_server_cores=1)
    assert limit(run, apart) == ""
    busy = replace(run, other_server_cpu_seconds=1.92)
    assert limit(busy, apart) == "the other server was the limit (96% of its cores)"
    assert limit(replace(busy, server=RUN.server), apart) == "", "the proxy was at work all the time"
    assert reasons(busy, apart) == []


def test_a_proxy_on_the_cores_of_all_others_has_what_they_leave() -> None:
    shared = replace(AROUND, server_cores=2, generator_cores=2, shares_cores=True)
    late = replace(load(latency=Latency(mean=0.001)), generator_cpu_seconds=1.0)
    assert "requests were under way" in limit(late, shared)
    assert limit(replace(late, other_server_cpu_seconds=0.95), shared) == ""


def test_each_run_has_a_state_in_the_result(tmp_path: Path) -> None:
    result = Result("t", "", "", Machine("", [0], 1, "", "", ""))
    result.runs = [RUN, replace(RUN, limited="slow"), replace(RUN, limited="slow", refused=["wrong"])]
    result.save(tmp_path / "result.json")
    read = Result.load(tmp_path / "result.json")
    assert [run.state for run in read.runs] == ["counts", "limited", "refused"]


def test_a_disturbed_run_names_who_it_was() -> None:
    trust = Trust(outsiders=[Worker(7, "cc1plus -quiet", 0.4), Worker(8, "x", 0.1)])
    disturbed = replace(RUN, other_cpu_seconds=0.5, trust=trust)
    (reason,) = reasons(disturbed, AROUND)
    assert reason.endswith("used 25% of one core, most of it process 7 (cc1plus -quiet)")


def test_a_busy_generator_is_fine_beside_a_busier_server() -> None:
    assert limit(replace(RUN, generator_cpu_seconds=1.98), AROUND) == ""


def test_a_fixed_rate_that_is_not_reached_is_a_state_and_not_refused() -> None:
    short = replace(RUN, asked_rate=1e6)
    assert "were asked for" in reasons(short, AROUND)[0]
    assert reasons(replace(short, cell=replace(RUN.cell, rate=1e6)), AROUND) == []


def test_little_says_nothing_of_pipelining_or_open_loop() -> None:
    odd = load(latency=Latency(mean=0.2))
    assert reasons(odd, replace(AROUND, scenario=SCENARIOS["pipelined"])) == []
    assert reasons(replace(odd, asked_rate=50_000.0), AROUND) == []


def test_connections_that_come_and_go_are_not_counted() -> None:
    run = replace(load(connections=None), server=ServerUse(0.5, 1.4, established=3))
    assert reasons(run, replace(AROUND, scenario=SCENARIOS["close"])) == []


def test_under_connection_close_the_sockets_of_clients_are_counted() -> None:
    closing = replace(AROUND, scenario=SCENARIOS["close"])

    def of(seen: int | None, **changes: object) -> Run:
        return replace(load(connections=None, **changes), server=ServerUse(0.5, 1.4, clients_at_once=seen))

    assert reasons(of(100), closing) == [] == reasons(of(99), closing) == reasons(of(None), closing)
    (reason,) = reasons(of(60), closing)
    assert reason == "the generator had 60 connections under way at once, of 100"
    brief = {"seconds": 0.5, "requests": LOAD.requests // 4, "bytes_received": (LOAD.bytes_received or 0) // 4}
    assert reasons(of(60, **brief), closing) == [], "the lab may not have looked yet"


def test_under_connection_close_the_time_between_connections_is_nobodys() -> None:
    closing = replace(AROUND, scenario=SCENARIOS["close"])
    assert reasons(load(latency=Latency(mean=0.0013), connections=None), closing) == []
    assert "Little's law is broken" in reasons(load(latency=Latency(mean=0.003), connections=None), closing)[0]


def test_a_generator_that_is_late_with_the_next_request_is_fine_beside_a_server_at_work() -> None:
    late, busy = load(latency=Latency(mean=0.001)), ServerUse(0.5, 1.4, established=100)
    assert limit(replace(late, server=busy), AROUND) == ""
    shared = replace(AROUND, server_cores=2, generator_cores=2)
    assert "requests were under way" in limit(replace(late, server=busy, generator_cpu_seconds=1.9), shared)
    assert limit(replace(late, server=busy, generator_cpu_seconds=1.9), replace(shared, shares_cores=True)) == ""


def test_a_generator_that_is_late_with_the_next_request_sets_the_pace() -> None:
    late = replace(load(latency=Latency(mean=0.001)), server=ServerUse(0.3, 0.9, established=100))
    assert reasons(late, AROUND) == []
    assert (
        limit(late, AROUND) == "the load generator was the limit: only 50.0 requests were under way on 100 connections"
    )
    assert limit(late, replace(AROUND, scenario=SCENARIOS["close"])) == ""


def of_work(name: str, **changes: object) -> list[str]:
    """The reasons for a run of that work. Over HTTP/2 no head is counted."""
    scenario = SCENARIOS[name]
    heads = 0 if scenario.http2 else HEAD
    said: dict[str, object] = {"bytes_received": 100_000 * (1024 + heads), "negotiated": scenario.negotiated}
    run = load(connections=None, **(said | changes))
    return reasons(run, replace(AROUND, scenario=scenario, head_bytes=heads))


@pytest.mark.parametrize("name", ["https", "h2", "h2c"])
def test_the_generator_spoke_what_the_work_is_about(name: str) -> None:
    assert of_work(name) == []
    wanted = SCENARIOS[name].negotiated
    assert of_work(name, negotiated="http/1.1") == [f"the generator spoke http/1.1, not {wanted}"]
    assert of_work(name, negotiated="") == [f"the generator does not say what it spoke, and {wanted} was asked for"]
    assert of_work("keep-alive", negotiated="") == [] == of_work("keep-alive", negotiated="http/1.1")
    assert of_work("keep-alive", negotiated="h2c") == ["the generator spoke h2c, not http/1.1"]


def test_another_cipher_is_other_work() -> None:
    other = "TLSv1.3 TLS_AES_256_GCM_SHA384 http/1.1"
    assert of_work("https", negotiated=other) == [
        f"the generator spoke {other}, not TLSv1.3 TLS_AES_128_GCM_SHA256 http/1.1"
    ]


def test_a_handshake_is_full_or_resumed_as_the_work_is() -> None:
    assert of_work("https-handshake", resumed=0) == []
    assert of_work("https-handshake", resumed=1) == ["1 of 100,000 handshakes were resumed, and none should be"]
    assert of_work("https-resumed", resumed=99_900) == []  # the first of each place has no session
    assert of_work("https-resumed", resumed=99_899) == ["only 99,899 of 100,000 handshakes were resumed"]
    for name in ("https-handshake", "https-resumed"):
        assert of_work(name) == ["the generator does not say which handshakes were resumed"]


def test_the_bytes_of_compressed_answers_may_come_in_more_chunks() -> None:
    around = replace(AROUND, scenario=SCENARIOS["compressed-first"], wire_bytes=5_500.0, sent_bytes=5_200)
    assert reasons(load(bytes_received=100_000 * 5_590), around) == []
    for wrong in (5_380, 5_640):  # at 100 connections, the answers under way are a thousandth
        (reason,) = reasons(load(bytes_received=100_000 * wrong), around)
        assert reason.endswith("bytes came, but 100,000 answers have 550,000,000")
    assert reasons(load(bytes_received=100_000 * 5_500), replace(around, wire_bytes=None)) == []
