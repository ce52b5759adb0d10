"""Results as an experiment would leave them, made up."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape

from weir_lab.core.load import Latency, Load
from weir_lab.core.result import Cell, Check, Machine, Result, Run, ServerUse
from weir_lab.core.scenario import SCENARIOS

HEAD = (
    "HTTP/1.1 200 OK\nServer: weir\nDate: Fri, 20 Nov 2026 22:00:00 GMT\nContent-Type: "
    "application/octet-stream\nContent-Length: 1024\n"
)

# Microseconds of server CPU for a request of the scenario keep-alive at 100 connections.
COSTS = {
    "floor/epoll": 5.2,
    "floor/io-uring": 5.15,
    "weir/per-core": 5.6,
    "weir/epoll-level": 5.7,
    "weir/coroutines": 5.8,
    "weir/io-uring": 5.55,
    "weir/reactor": 12.0,
    "weir/thread-per-connection": 9.5,
    "nginx-1": 8.8,
    "h2o": 6.4,
    "hyper": 6.0,
}

MACHINE = Machine(
    "AMD EPYC 7B13",
    [0, 1],
    24 << 30,
    "6.18.0",
    "Debian GNU/Linux 12 (bookworm)",
    "KVM",
    [
        Check("descriptors", "20000 a process, 10500 wanted", True),
        Check(
            "backlog",
            "128 connections may wait to be accepted, 4096 may come at once",
            False,
            "sysctl -w net.core.somaxconn=4096",
        ),
    ],
)


def empty(title: str = "Architectures and peers") -> Result:
    return Result(
        title,
        'title = "Architectures and peers"\n',
        "2026-11-20T22:00:00+00:00",
        MACHINE,
        {"weir/per-core": "weir 0.1.0 (abc1234)", "nginx-1": "nginx/1.22.1", "wrk": "wrk 4.1.0"},
        "server on core 0, generator on core 1",
        finished="2026-11-20T22:09:00+00:00",
    )


def with_runs(*runs: Run) -> Result:
    result = empty()
    result.runs = list(runs)
    return result


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def cell(
    target: str = "weir/per-core",
    scenario: str = "keep-alive",
    connections: int = 100,
    generator: str = "wrk",
    workers: int = 1,
) -> Cell:
    return Cell(scenario, connections, generator, target, workers)


def run(
    of: Cell, round: int = 0, cost: float = 5.6e-6, noise: float = 0.01, refused: Sequence[str] = (), seed: int = 0
) -> Run:
    source = random.Random(f"{of.key} {round} {seed}")
    each = cost * source.uniform(1 - noise, 1 + noise)
    known = SCENARIOS.get(of.scenario)
    part = known.part_of_capacity if known else None
    rate = (part or 1.0) / each
    requests = max(int(rate * 2), 1)
    mean = of.connections / rate
    latency = Latency(mean, mean * 0.95, mean * 1.4, mean * 2.1, mean * 4.0, mean * source.uniform(7, 9))
    load = Load(requests, 2.0, requests * 1200, latency=latency, errors={}, connections=of.connections)
    use = ServerUse(
        requests * each * 0.2,
        requests * each * 0.8,
        int(2e6 + 3000 * of.connections),
        int(requests / 90),
        established=of.connections,
    )
    return Run(
        of,
        round,
        "2026-11-20T22:01:00+00:00",
        load,
        use,
        1.9,
        0.02,
        rate if part else None,
        HEAD,
        ["/opt/weir/weir", "serve", "/tmp/weir-lab-site-1", "--engine", of.target.partition("/")[2], "--port", "30000"],
        ["wrk", "-t1", f"-c{of.connections}", "-d2s", f"http://127.0.0.1:30000{known.path if known else '/'}"],
        "",
        list(refused),
    )


def traced(of: Cell) -> Run:
    one = run(of)
    assert one.load
    return Run(of, 0, one.started, one.load, ServerUse(1.0, 1.0, system_calls=2.01), traced=True)


def not_begun(of: Cell, reason: str, round: int = 0) -> Run:
    return Run(of, round, "2026-11-20T22:01:00+00:00", None, None, refused=[reason])


def cost_of(of: Cell) -> float:
    growth = 1 + 0.12 * (len(str(of.connections)) - 3) ** 2
    work = {"close": 4.3, "pipelined": 0.12, "file-100k": 2.9, "sleep": 190.0}.get(of.scenario, 1.0)
    return COSTS[of.target] * 1e-6 * growth * work


def full(rounds: int = 3, seed: int = 0, slower: float = 1.0) -> Result:
    """All that a page can show: several kinds of work, open loop, traced runs, two generators, rows that were
    refused."""
    result = empty()
    plan = [cell(target, connections=connections) for connections in (1, 10, 100, 1000, 10_000) for target in COSTS]
    plan += [cell(target, "close") for target in COSTS] + [
        cell(target, "file-100k") for target in ("weir/per-core", "nginx-1", "hyper")
    ]
    plan += [
        cell(target, "sleep", connections)
        for target in COSTS
        if target.startswith("weir")
        for connections in (1, 100, 1000)
    ]
    plan += [
        cell(target, scenario, generator="rps")
        for scenario in ("latency-50", "latency-70", "latency-90")
        for target in ("weir/per-core", "weir/io-uring", "nginx-1", "hyper")
    ]
    plan += [cell(generator="h2load"), cell(generator="rps")]
    for of in plan:
        cost = cost_of(of) * (slower if of.target.startswith("weir/") else 1)
        for number in range(rounds):
            result.runs.append(run(of, number, cost, seed=seed))
        result.runs.append(traced(of))
    _refuse_some(result)
    return result


RATES = (1000.0, 10_000.0, 40_000.0)


def at_rates(rounds: int = 3) -> Result:
    """Open loop at the same rates for all. nginx does not reach the highest."""
    result = empty()
    for rate in RATES:
        for number in range(rounds):
            for target in ("floor/epoll", "weir/per-core", "weir/reactor", "nginx-1"):
                of = replace(cell(target, generator="rps"), rate=rate)
                one = run(of, number, COSTS[target] * 1e-6 * (1 + 2000 / rate), 0.002)
                result.runs.append(_at_rate(one, min(rate, 30_000.0) if target == "nginx-1" else rate))
    return result


def _at_rate(one: Run, reached: float) -> Run:
    """At that rate, for the same cost of each request."""
    assert one.load and one.server and one.cell.rate
    load = replace(one.load, requests=int(reached * 2), seconds=2.0)
    part = load.requests / one.load.requests
    use = replace(
        one.server, user_seconds=one.server.user_seconds * part, system_seconds=one.server.system_seconds * part
    )
    return replace(one, load=load, server=use, asked_rate=one.cell.rate)


def _refuse_some(result: Result) -> None:
    out_of_reach = cell("weir/thread-per-connection", connections=10_000)
    short = cell("h2o", connections=10_000)
    result.runs = [one for one in result.runs if one.cell != out_of_reach]
    result.runs += [not_begun(out_of_reach, "gave no answer in 10 s: no thread is free")]
    result.runs += [run(short, 7, refused=["8,987 connect errors", "1,013 connections of 10,000 were open"])]
    result.runs += [not_begun(cell("caddy"), "caddy is not installed: apt-get install caddy")]
