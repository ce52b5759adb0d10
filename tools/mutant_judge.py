"""Which test notices a mutant: builds and runs one test program after another, until a test fails."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutation import Mutant

BUILD_SECONDS = 1500
PROGRAM_SECONDS = 400
# The program that is likeliest to notice comes first. Each is a target of the build.
PROGRAMS = {
    "base": ["base", "http", "net", "site", "engines", "server", "cli"],
    "http": ["http", "corpus", "site", "server", "support"],
    "net": ["net", "engines", "server"],
    "site": ["site", "site_faults", "site_hot_path", "server"],
    "engines": ["engines"],
    "server": ["server", "cli"],
    "sandbox": ["sandbox"],
    "cli": ["cli"],
}
# Engines that use a room of src/engines. A change anywhere else below is tested by engines of two natures.
ENGINES = {
    "loop": ["epoll_level", "select"],
    "peer": ["epoll_level", "thread_pool"],
    "processes": ["prefork", "fork_per_connection"],
    "ring": ["io_uring", "io_uring_of_old"],
    "threads": ["thread_pool", "reactor"],
    "asio": ["asio"],
}
OTHER_ENGINES = ["epoll_level", "thread_pool"]
FORKS = ("engines/prefork", "engines/fork_per_connection", "engines/processes")
TESTED_BY_COMMAND = ("server", "sandbox", "cli")
UNDER_ENGINES = ("base", "http", "net", "engines", "server")
# The tests of the built command, and the programs that they start.
COMMAND_TARGETS = ["weir", "hostile", "record_calls"]
COMMAND_TESTS = r"^(cli\.(command|wrong_use|target|health)|server\.http_table|end_to_end\.|sandbox\.(calls|unit_file))"
# They skip themselves, measure what a busy machine changes, or only show that a browser works.
COMMAND_TESTS_LEFT_OUT = r"^end_to_end\.(accessibility|browser|listing_browser|hostile_peers|memory)"


@dataclass(frozen=True)
class Stage:
    targets: list[str]
    pattern: str = "*"  # of gtest's filter; the tests of the command have ctest's
    command: bool = False


@dataclass(frozen=True)
class Verdict:
    result: str  # killed, survived or stillborn
    by: str = ""
    how: str = ""


def engines_of(path: str) -> list[str]:
    _, floor, *rest = path.split("/")
    if floor != "engines":
        return OTHER_ENGINES
    if len(rest) > 1:
        return ENGINES.get(rest[0], OTHER_ENGINES)
    own = Path(rest[0]).stem
    return {"io_uring": ENGINES["ring"], "epoll_workers": [own, "per_core"], "per_core": [own, "prefork"],
            "engines": OTHER_ENGINES, "host": ENGINES["peer"]}.get(own, [own])


def stages(mutant: Mutant) -> Iterator[Stage]:
    floor = mutant.path.split("/")[1]
    for program in PROGRAMS[floor]:
        yield Stage([f"{program}_test"])
    if any(part in mutant.path for part in FORKS):
        yield Stage(["server_test"], "Processes*")
    if floor in UNDER_ENGINES:
        chosen = ":".join(f"*/{engine}" for engine in engines_of(mutant.path))
        yield Stage(["contract_test"], chosen)
        yield Stage(["hot_path_test"])
        yield Stage(["allocations_test"], chosen)
        yield Stage(["faults_test"], f"{chosen}:Injector*")
    if floor in TESTED_BY_COMMAND:
        yield Stage(COMMAND_TARGETS, COMMAND_TESTS, command=True)


def run(command: list[str], seconds: float) -> tuple[int | None, str]:
    """(None, output until then) where it took longer. What it started ends with it."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", process_group=0) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            return None, _output_of_ended(process)
        finally:
            _end_group(process.pid)


def _output_of_ended(process: subprocess.Popen[str]) -> str:
    _end_group(process.pid)
    try:
        return process.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        return ""


def _end_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


FAILED = re.compile(r"^\[  FAILED  \] (\S+?),? .*\((\d+) ms\)", re.MULTILINE)
RUNNING = re.compile(r"^\[ RUN      \] (\S+)", re.MULTILINE)
FAILED_COMMAND = re.compile(r"^\s*\d+ - (\S+) \(", re.MULTILINE)


def noticed(output: str) -> tuple[str, str]:
    """The test of a gtest program that failed, or in which the program ended or was ended, and how."""
    failed = FAILED.findall(output)
    if failed:
        return failed[0][0], f"{failed[0][1]} ms"
    begun = RUNNING.findall(output)
    return (begun[-1], "never ended") if begun else ("", "no test began")


def run_program(program: Path, pattern: str) -> tuple[str, str]:
    """As `noticed`; empty where every test passed."""
    status, output = run([str(program), "--gtest_fail_fast", f"--gtest_filter={pattern}"], PROGRAM_SECONDS)
    if status == 0:
        return "", ""
    test, how = noticed(output)
    return test or program.name, how if status is None or status > 0 else f"signal {-status}"


def judge_program(program: Path, pattern: str) -> Verdict:
    """A test that fails once, but not again, proves nothing: the others are run without it."""
    passed_again: list[str] = []
    while True:
        without = "-" + ":".join(passed_again) if passed_again else ""
        test, how = run_program(program, pattern + without)
        if not test:
            return Verdict("survived")
        if test == program.name or run_program(program, test)[0]:
            return Verdict("killed", test, how)
        passed_again.append(test)


def judge_command(build: Path, jobs: int) -> Verdict:
    ctest = ["ctest", "--test-dir", str(build), "-j", str(jobs), "-E", COMMAND_TESTS_LEFT_OUT, "-R"]
    failed = FAILED_COMMAND.findall(run([*ctest, COMMAND_TESTS, "--stop-on-failure"], BUILD_SECONDS)[1])
    for name in failed:
        if run([*ctest, f"^{re.escape(name)}$"], BUILD_SECONDS)[0] != 0:
            return Verdict("killed", name)
    return judge_command_whole(build, ctest) if failed else Verdict("survived")


def judge_command_whole(build: Path, ctest: list[str]) -> Verdict:
    """After one that failed but not again had stopped the others."""
    for name in FAILED_COMMAND.findall(run([*ctest, COMMAND_TESTS], BUILD_SECONDS)[1]):
        if run([*ctest, f"^{re.escape(name)}$"], BUILD_SECONDS)[0] != 0:
            return Verdict("killed", name)
    return Verdict("survived")


def judge(build: Path, mutant: Mutant, jobs: int) -> Verdict:
    for stage in stages(mutant):
        if run(["ninja", "-C", str(build), "-j", str(jobs), *stage.targets], BUILD_SECONDS)[0] != 0:
            return Verdict("stillborn")
        if stage.command:
            verdict = judge_command(build, 2 * jobs)
        else:
            program = next(path for path in build.glob(f"tests/**/{stage.targets[0]}") if path.is_file())
            verdict = judge_program(program, stage.pattern)
        if verdict.result == "killed":
            return verdict
    return Verdict("survived")
