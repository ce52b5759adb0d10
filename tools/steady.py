#!/usr/bin/env python3
"""Runs all tests many times under load: a test that is right once in a hundred times shows here.

usage: steady.py BUILD [ROUNDS] [--jobs N] [-- CTEST_ARGUMENT...]

Each round runs the tests of BUILD in random order, 2 * N at a time, beside two busy processes for each processor. The
reports and the output of each round are in BUILD/steady. At the end, a Markdown table names each test that was ever red or
took more than half of its limit. The exit status is 1 if one was red. A run that was interrupted goes on after its last
whole round, if source and arguments are the same."""

import argparse
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import ParseError

from test_summary import cases_of, outcome, seconds_of
from thorough import source

ROUNDS = 10
BUSY_PER_PROCESSOR = 2
SHARE_MAX = 0.5  # of its limit, that a test may take without being named
PR_SET_PDEATHSIG = 1
CTEST_FAILED = 8  # its status where tests failed; any other than 0 says that it could not run them


@dataclass
class Seen:
    """One test in all rounds."""

    limit: float | None = None
    slowest: float = 0
    slowest_round: int = 0  # 0: it never ran
    red: list[int] = field(default_factory=list)

    def note(self, number: int, result: str, seconds: float) -> None:
        if result == "failed":
            self.red.append(number)
        if seconds >= self.slowest:
            self.slowest, self.slowest_round = seconds, number

    def share(self) -> float:
        return self.slowest / self.limit if self.limit else 0


def die_with_parent() -> None:
    """Also where the parent can end nothing itself: it was killed, or a signal struck while it started the process."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@contextmanager
def busy(count: int) -> Iterator[list[int]]:
    """So many processes that never wait, and end with the block."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = []
    try:
        for _ in range(count):
            processes.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent))
        yield [process.pid for process in processes]
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.wait()


def limits_of(build: Path) -> dict[str, float]:
    """Each test and its limit in seconds."""
    command = ["ctest", "--test-dir", str(build), "--show-only=json-v1"]
    listed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {test["name"]: each["value"] for test in listed["tests"] for each in test.get("properties", []) if each["name"] == "TIMEOUT"}


def run_round(build: Path, number: int, at_once: int, more: list[str]) -> Path:
    """The JUnit report of one round; SystemExit where there is none."""
    report, log = (build / "steady" / f"round-{number}.{kind}" for kind in ("xml", "log"))
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(build), "--schedule-random", "-j", str(at_once), "--output-on-failure",
               "--no-tests=error", "--output-junit", str(report.absolute()), *more]
    with open(log, "w", encoding="utf-8") as output:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, preexec_fn=die_with_parent,
                                check=False).returncode
    if status not in (0, CTEST_FAILED) or not report.exists():
        sys.exit(f"steady: ctest ended with {status}: {log}")
    return report


def note_round(seen: dict[str, Seen], number: int, report: Path) -> list[str]:
    """The tests that were red."""
    try:
        cases = cases_of(report)
    except ParseError as error:
        sys.exit(f"steady: {report}: {error}")
    for case in cases:
        seen.setdefault(case.get("name", "?"), Seen()).note(number, outcome(case), seconds_of(case))
    return [name for name, one in seen.items() if number in one.red]


def count_run(seen: dict[str, Seen]) -> int:
    return sum(one.slowest_round > 0 for one in seen.values())


def table(seen: dict[str, Seen]) -> list[str]:
    named = {name: one for name, one in seen.items() if one.red or one.share() > SHARE_MAX}
    if not named:
        return ["No test was red, and none took more than half of its limit."]
    lines = ["| test | red in round | slowest, s | in round | limit, s |", "|---|---|---:|---:|---:|"]
    for name, one in sorted(named.items(), key=lambda each: (not each[1].red, -each[1].share(), each[0])):
        red = ", ".join(map(str, one.red)) or "none"
        cell = name.replace("|", "\\|")
        lines.append(f"| `{cell}` | {red} | {one.slowest:.1f} | {one.slowest_round} | {one.limit or 0:.0f} |")
    return lines


def heading(rounds: int, tests: int, at_once: int, loops: int, seconds: float) -> str:
    source = Path(__file__).parent
    commit = subprocess.run(["git", "-C", str(source), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return (f"{time.strftime('%Y-%m-%d')}, commit {commit.stdout.strip() or 'unknown'}: {rounds} rounds of {tests} tests, "
            f"{at_once} at a time on {os.cpu_count()} processors beside {loops} busy processes, {seconds / 60:.0f} minutes.")


class Interrupted:
    """How long each whole round of a run took, which the next run goes on with."""

    def __init__(self, folder: Path, run: list[str]):
        self.file, self.run, self.seconds = folder / "interrupted.json", run, list[float]()
        try:
            before = json.loads(self.file.read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return
        if before["run"] == run:
            self.seconds = before["seconds"]

    def add(self, seconds: float) -> None:
        self.seconds.append(seconds)
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"run": self.run, "seconds": self.seconds}) + "\n", encoding="utf-8")
        new.replace(self.file)

    def end(self) -> None:
        self.file.unlink(missing_ok=True)


def steady(build: Path, rounds: int, jobs: int, more: list[str]) -> int:
    at_once, loops = 2 * jobs, BUSY_PER_PROCESSOR * (os.cpu_count() or 1)
    (build / "steady").mkdir(exist_ok=True)
    seen = {name: Seen(limit) for name, limit in limits_of(build).items()}
    run = Interrupted(build / "steady", [source(), str(at_once), *more])
    for number in range(1, min(rounds, len(run.seconds)) + 1):
        note_round(seen, number, build / "steady" / f"round-{number}.xml")
        print(f"steady: round {number} of {rounds} was run before", file=sys.stderr)
    with busy(loops):
        for number in range(len(run.seconds) + 1, rounds + 1):
            began = time.monotonic()
            report = run_round(build, number, at_once, more)
            red = note_round(seen, number, report)
            run.add(time.monotonic() - began)
            print(f"steady: round {number} of {rounds}: {count_run(seen)} tests in {run.seconds[-1]:.0f} s, {len(red)} red"
                  + "".join(f"\n  {name}" for name in red), file=sys.stderr, flush=True)
    run.end()
    print(heading(rounds, count_run(seen), at_once, loops, sum(run.seconds[:rounds])), "", *table(seen), sep="\n")
    return 1 if any(one.red for one in seen.values()) else 0


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a number of at least 1, not '{text}'")
    return int(text)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="steady.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("rounds", type=positive, nargs="?", default=ROUNDS)
    parser.add_argument("--jobs", type=positive, default=os.cpu_count(), help="as ./run test has them; twice as many run at once")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    given = parser.parse_args(arguments[:end])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        return steady(given.build, given.rounds, given.jobs, arguments[end + 1 :])
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
