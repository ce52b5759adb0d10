"""perf and strace count what a server does; what a machine or a user may not count is left out, and never made up."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import results

from weir_lab.core.result import ServerUse
from weir_lab.counting import counters, tracing
from weir_lab.counting.counters import Counts
from weir_lab.statistics.measures import COUNTED, MEASURES, values

# What perf 6.1 prints.
VIRTUAL = """# started on Sun Nov 22 07:32:51 2026

<not supported>,,instructions,0,100.00,,
<not supported>,,cycles,0,100.00,,
<not counted>,,cache-misses,0,0.00,,
388,,context-switches,32454579,100.00,11.955,K/sec
4,,cpu-migrations,32454579,100.00,123.249,/sec
5377,,page-faults,32454579,100.00,165.678,K/sec
32.45,msec,task-clock,32454579,100.00,0.177,CPUs utilized
71284,,raw_syscalls:sys_enter,32454579,100.00,2.196,M/sec
"""
REAL = """# started on Sun Nov 22 07:32:51 2026

1234567890,,instructions,998877,83.12,1.91,insn per cycle
646000000,,cycles,998877,83.10,2.9,GHz
4711,,cache-misses,998877,66.70,,
71284,,raw_syscalls:sys_enter,32454579,100.00,2.196,M/sec
"""
NOT_IN_THE_KERNEL = """# started on Sun Nov 22 07:32:51 2026

882233,,instructions:u,998877,100.00,1.1,insn per cycle
0,,context-switches:u,296444,100.00,0.000,/sec
0.30,msec,task-clock:u,296444,100.00,209.058,CPUs utilized
"""


def test_reads_what_perf_prints() -> None:
    assert counters.parse(VIRTUAL) == {
        "context-switches": 388,
        "cpu-migrations": 4,
        "page-faults": 5377,
        "task-clock": 32.45,
        "raw_syscalls:sys_enter": 71284,
    }
    assert counters.parse(REAL)["instructions"] == 1234567890
    assert counters.parse(NOT_IN_THE_KERNEL) == {}
    assert counters.parse("") == {}


FAKE = """#!{python}
# As perf: refuses the events {refused!r}, obeys orders, and writes its table when it is interrupted.
import signal, sys
arguments = sys.argv[1:]
def write(*_):
    with open(arguments[arguments.index("-o") + 1], "w") as table:
        table.write({table!r})
    sys.exit(0)
events = arguments[arguments.index("-e") + 1].split(",")
if set(events) & set({refused!r}):
    sys.exit("event syntax error: can't access trace events")
if "--control" not in arguments:
    write()
signal.signal(signal.SIGINT, write)
orders, obeyed = arguments[arguments.index("--control") + 1].removeprefix("fd:").split(",")
with open(int(orders)) as orders, open(int(obeyed), "w") as obeyed:
    for order in orders:
        obeyed.write("ack\\n\\0")
        obeyed.flush()
while True:
    signal.pause()
"""


@pytest.fixture(autouse=True)
def asked_anew() -> Iterator[None]:
    counters.countable.cache_clear()
    yield
    counters.countable.cache_clear()


def fake_perf(folder: Path, monkeypatch: pytest.MonkeyPatch, table: str, refused: tuple[str, ...] = ()) -> None:
    program = folder / "perf"
    program.write_text(FAKE.format(python=sys.executable, table=table, refused=refused), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_counts_what_the_machine_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_perf(tmp_path, monkeypatch, REAL)
    assert counters.countable() == ("instructions", "cycles", "cache-misses", "raw_syscalls:sys_enter")
    assert len(tracing.ways()) == 1
    with tracing.ways()[0](os.getpid()) as counts:
        assert not counts.of
    assert counts.of["cycles"] == 646000000 and not counts.failure


def test_without_tracepoints_strace_counts_calls_and_perf_the_rest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake_perf(tmp_path, monkeypatch, REAL.replace(counters.CALLS, "page-faults"), refused=(counters.CALLS,))
    assert [getattr(way, "func", way) for way in tracing.ways()] == [tracing._with_strace, tracing._with_perf]


def test_without_counters_of_the_processor_and_tracepoints_strace_is_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake_perf(tmp_path, monkeypatch, NOT_IN_THE_KERNEL)
    assert counters.countable() == ()
    assert tracing.ways() == [tracing._with_strace]


def test_a_perf_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_perf(tmp_path, monkeypatch, REAL, refused=("cycles",))
    with counters.counting([os.getpid()], ("cycles",)) as counts:
        pass
    assert counts.of == {} and "can't access trace events" in counts.failure


@contextlib.contextmanager
def calling() -> Iterator[subprocess.Popen[str]]:
    """Makes 3,000 calls when it is told to, in a thread, a child and itself."""
    program = (
        "import os, threading\n"
        "work = lambda: [os.getppid() for _ in range(1000)]\n"
        "print('ready', flush=True); input()\n"
        "thread = threading.Thread(target=work); thread.start(); thread.join()\n"
        "if os.fork() == 0: work(); os._exit(0)\n"
        "os.wait(); work()\n"
        "print('done', flush=True); input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as one:
        assert one.stdout and one.stdout.readline() == "ready\n"
        yield one
        say(one)


def say(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


@pytest.mark.live
def test_the_real_perf_counts_threads_and_children() -> None:
    events = counters.countable()
    if counters.CALLS not in events:
        pytest.skip("perf counts no system calls here")
    with calling() as process, counters.counting([process.pid], events) as counts:
        say(process)
        assert process.stdout and process.stdout.readline() == "done\n"
    assert 3000 <= counts.of[counters.CALLS] < 5000
    assert set(counts.of) == set(events)


def test_counts_are_told_for_each_request() -> None:
    run = results.run(results.cell())
    assert run.load
    counts = Counts({counters.CALLS: 2.0 * run.load.requests, "instructions": 9000.0 * run.load.requests})
    found = replace(tracing.with_counts(run, counts), traced=True)
    assert found.server and found.server.system_calls == 2.0 and found.server.counters == {"instructions": 9000.0}
    result = results.empty()
    result.runs = [run, found]
    assert values(result, run.cell, MEASURES["instructions"]) == [9000.0]
    assert values(result, run.cell, MEASURES["cycles"]) == []
    assert {"calls", "instructions"} <= set(COUNTED)


def test_what_bends_in_a_counted_run_does_not_refuse_it() -> None:
    run = replace(results.run(results.cell()), refused=["the machine was disturbed: by perf", "2 read errors"])
    assert tracing.with_counts(run, Counts({"calls": 1.0})).refused == ["2 read errors"]
    assert "no perf" in tracing.with_counts(run, Counts(failure="no perf")).refused[-1]


def test_two_ways_are_one_run() -> None:
    run = results.run(results.cell())
    by_strace = replace(run, server=ServerUse(1.0, 1.0, system_calls=2.0))
    by_perf = replace(run, server=ServerUse(1.0, 1.0, counters={"cycles": 7.0}), refused=["no"])
    found = tracing.together([by_strace, by_perf])
    assert found.server and (found.server.system_calls, found.server.counters, found.refused) == (
        2.0,
        {"cycles": 7.0},
        ["no"],
    )
