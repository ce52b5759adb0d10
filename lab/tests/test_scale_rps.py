"""rps on several hosts, each with its part of the rate: rates and answers add up."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest
from namespaces import hosts
from running import SITE, running, weir

from weir_lab.generators import GENERATORS
from weir_lab.load import LoadPlan

RATE = 200.0
SECONDS = 1.0
CONNECTIONS = 4  # each is opened by a request that is not counted


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
