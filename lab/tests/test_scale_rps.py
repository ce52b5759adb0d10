"""rps on several hosts, each with its part of the rate: rates and answers add up."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import time
from pathlib import Path

import pytest
from namespaces import hosts
from running import SITE, running, weir

from weir_lab.core.load import LoadPlan
from weir_lab.generators import GENERATORS
from weir_lab.generators.program import path_of
from weir_lab.generators.rps import PROGRAM

pytestmark = pytest.mark.live

RATE = 200.0
SECONDS = 1.0
START_SECONDS = 5.0  # until all have opened their connections
CONNECTIONS = 4  # each is opened by a request that is not counted


def test_hosts_begin_together_and_their_reports_add_up(tmp_path: Path) -> None:
    if missing := GENERATORS["rps"].missing():
        pytest.skip(missing)
    rps = path_of("rps", PROGRAM)
    with (
        hosts(2) as (server_host, load_hosts),
        weir(SITE, within=server_host.within, bind=server_host.address) as server,
    ):
        start = f"{time.time() + START_SECONDS:.3f}"
        asked = ["2", "0", f"{server.url}/", "--connections", "4", "--rate", f"{RATE}", "--duration", f"{SECONDS}"]
        command = [rps, *asked, "--start-at", start, "--json", "--histogram"]
        with contextlib.ExitStack() as ends:
            started = [ends.enter_context(running([*host.within, *command])) for host in load_hosts]
            printed = [process.communicate()[0] for process in started]
    files = [tmp_path / f"{number}.json" for number in range(len(printed))]
    for file, text in zip(files, printed, strict=True):
        file.write_text(text, encoding="utf-8")
    done = subprocess.run([rps, "merge", *files, "--json"], capture_output=True, text=True, check=True)
    reports, merged = [json.loads(text) for text in printed], json.loads(done.stdout)
    assert {report["started"] for report in reports} == {float(start)} == {merged["started"]}
    assert (merged["requests"], merged["errors"]) == (2 * RATE * SECONDS, {})
    slowest, medians = ([report["latency_seconds"][name] for report in reports] for name in ("max", "p50"))
    assert merged["latency_seconds"]["max"] == max(slowest)
    assert min(medians) <= merged["latency_seconds"]["p50"] <= max(medians)


def test_each_host_makes_its_part_of_the_rate(tmp_path: Path) -> None:
    generator = GENERATORS["rps"]
    if missing := generator.missing():
        pytest.skip(missing)
    log = tmp_path / "access.log"
    with (
        hosts(2) as (server_host, load_hosts),
        weir(SITE, "--access-log", str(log), within=server_host.within, bind=server_host.address) as server,
    ):
        command = generator.command(LoadPlan(f"{server.url}/", connections=CONNECTIONS, seconds=SECONDS, rate=RATE))
        with contextlib.ExitStack() as ends:
            started = [ends.enter_context(running([*host.within, *command])) for host in load_hosts]
            reports = [json.loads(process.communicate()[0]) for process in started]
    assert [(report["requests"], report["errors"]) for report in reports] == [(RATE * SECONDS, {})] * 2
    asked = re.findall(r"^(\S+) .*GET / ", log.read_text(encoding="utf-8"), re.MULTILINE)
    assert {host.address: asked.count(host.address) for host in load_hosts} == {
        host.address: RATE * SECONDS + CONNECTIONS for host in load_hosts
    }
