"""The CPU time of a server, whatever its processes and threads do."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from weir_lab.counting import interrupts
from weir_lab.counting.interrupts import Interrupts
from weir_lab.kernel import cgroups, clocks, processes

WORK = "sum(range(3_000_000))"
# Each program says a line when its work is done, and then waits.
ENDED_THREAD = f"import threading\nt = threading.Thread(target=lambda: {WORK})\nt.start(); t.join()\n"
CHILDREN = """
import os, signal, time
{before}
input()
began = time.process_time()
for _ in range(20):
    if os.fork() == 0:
        {work}
        os._exit(0)
    {wait}
"""
NOBODY_WAITS = CHILDREN.format(
    before="signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    work="sum(range(1_000_000))",
    wait="\n    while True:\n        try:\n            os.wait()\n        except ChildProcessError:\n            break",
)


def started(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program + "\nprint('done', flush=True)\ninput()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def wait_until_done(process: subprocess.Popen[str]) -> None:
    assert process.stdout
    assert process.stdout.readline() == "done\n"


def go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()


def test_a_thread_that_has_ended_counts() -> None:
    with started(ENDED_THREAD) as process:
        wait_until_done(process)
        with clocks.of_server(process.pid) as clock:
            assert clock.name == "process"
            counted = clock.seconds()
        assert counted == pytest.approx(processes.cpu(process.pid).seconds, abs=0.021)  # in hundredths, twice rounded
        assert counted > 0.01 and counted * 100 % 1 != 0
        go_on(process)
    assert clocks.of_process(process.pid) == 0.0


def test_children_that_nobody_waits_for_count_in_a_group() -> None:
    with started(NOBODY_WAITS) as process:
        while not clocks.has_children(process.pid):  # it will soon ignore its children
            assert process.poll() is None
        with clocks.of_server(process.pid) as clock:
            if clock.name != "cgroup":
                pytest.skip("no control group may be made here")
            before, without = clock.seconds(), clocks.of_family(process.pid)
            go_on(process)
            wait_until_done(process)
            in_group = clock.seconds() - before
            by_process = clocks.of_family(process.pid) - without
        go_on(process)
    assert in_group > 0.05 and by_process < in_group / 2


def test_without_a_group_each_process_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "places", lambda: iter([(Path("/no/such/place"), "cpu.stat")]))
    program = f"import os\nif os.fork() == 0:\n    {WORK}\n    os._exit(0)\nos.wait()\n{WORK}\n"
    with started(program) as process:
        wait_until_done(process)
        with clocks.of_server(process.pid) as clock:
            assert clock.name == "processes"
            assert clock.seconds() == pytest.approx(processes.cpu(process.pid).seconds, abs=0.04)
            assert clock.seconds() > clocks.of_process(process.pid)
        go_on(process)


@pytest.fixture(params=["cpu.stat", "cpuacct.usage"])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The second version of control groups, and the first."""
    places = [place for place in cgroups.places() if place[1] == request.param]
    monkeypatch.setattr(cgroups, "places", lambda: iter(places))
    yield


@pytest.mark.usefixtures("place")
def test_a_group_counts_and_leaves_nothing_behind() -> None:
    with started(
        "input()\nimport os, time\nuntil = time.process_time() + 0.1\nwhile time.process_time() < until: pass"
    ) as process:
        with cgroups.group() as group:
            if group is None or not group.take([process.pid]):
                pytest.skip("no control group of that kind here")
            before = group.seconds()
            go_on(process)
            wait_until_done(process)
            assert 0.09 < group.seconds() - before < 1.0
            folder = group.folder
        assert not folder.exists()
        assert process.poll() is None
        go_on(process)


def test_interrupts_are_counted_by_core() -> None:
    cores = sorted(os.sched_getaffinity(0))
    each = [interrupts.of_cores([core]) for core in cores]
    together = interrupts.of_cores(cores)
    assert together.soft >= sum(one.soft for one in each) - 1e-9 and together.stolen >= 0
    assert interrupts.of_cores([]) == Interrupts(0, 0)


@pytest.mark.parametrize(("missing", "apart"), [(0.15, True), (0.0, False)])
def test_who_is_charged_for_interrupts_is_measured(
    missing: float, apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that lacks what the interrupts took means that they are nobody's."""
    real, began = time.thread_time, []

    def own() -> float:
        began.append(0)
        return real() - (missing if len(began) > 1 else 0.0)

    found = iter((Interrupts(1.0, 0.0), Interrupts(1.15, 0.0)))
    monkeypatch.setattr(time, "thread_time", own)
    monkeypatch.setattr(interrupts, "of_cores", lambda _: next(found))
    monkeypatch.setattr(interrupts, "_send_to_itself", lambda _: sum(range(1000)))
    assert interrupts.measured_apart() is apart


def test_the_real_measurement_keeps_the_cores_of_the_thread() -> None:
    before = os.sched_getaffinity(0)
    interrupts.measured_apart(0.02)
    assert os.sched_getaffinity(0) == before


def test_threads_do_not_hide_from_the_clock() -> None:
    """A thread that works now counts, at the latest with the next tick."""
    until = threading.Event()
    worker = threading.Thread(target=lambda: [sum(range(1000)) for _ in iter(until.is_set, True)])
    before = clocks.of_process(os.getpid())
    worker.start()
    deadline = time.monotonic() + 60
    while clocks.of_process(os.getpid()) - before < 0.05:
        assert time.monotonic() < deadline
    until.set()
    worker.join()


def test_what_a_lab_left_behind_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    stale, own, foreign = (tmp_path / f"weir-lab-{pid}-before" for pid in (ended.pid, os.getpid(), 1))
    for folder in (stale, own, foreign):
        folder.mkdir()
    monkeypatch.setattr(cgroups, "places", lambda: iter([(tmp_path, "cpu.stat")]))
    with cgroups.group():
        assert not stale.exists() and not own.exists() and foreign.exists()
