#!/usr/bin/env python3
"""What a release needs beside `./run check` and `./run test`: sanitizers, fuzzers, faults, soak, other people's programs.

Steps run one after the other. A step that fails does not stop the others. A step that has passed for the present source is not run
again, so an interrupted run goes on where it was. Logs and results are in build/thorough/. The exit status is 0 if every
step has passed."""

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import deploy_tools

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "thorough"
H2SPEC = "github.com/summerwind/h2spec/cmd/h2spec"  # tests/end_to_end/h2spec/go.mod has its version
AXE = "axe-core@4.10.2"


@dataclass(frozen=True)
class Step:
    name: str
    command: str
    takes: str  # on two cores
    may_skip: bool = False  # tests that the build rules out: a sanitizer has no use for them, or an engine no such state


def live(pattern: str) -> str:
    return f"env WEIR_LIVE=1 ./run test {shlex.quote(pattern)}"


STEPS = (
    Step("asan", "./run asan", "an hour", may_skip=True),
    Step("tsan", "./run tsan", "an hour", may_skip=True),
    Step("fuzz", "./run fuzz 60", "15 minutes"),
    Step("faults", "./run faults --script plain", "an hour"),
    Step("faults-tls", "./run faults --script tls", "an hour or less"),
    Step("faults-folder", "./run faults --script folder", "an hour or less"),
    Step("faults-reload", "./run faults --script reload", "an hour or more"),
    Step("faults-webdav", "./run faults --script webdav", "half an hour"),
    Step("soak", "./run soak 20", "half an hour"),
    Step("lab", "./run lab-test --live", "20 minutes"),
    Step("browsers", live(r"end_to_end\.(accessibility|browser|chat_browser|cross_origin|listing_browser|live_browser)$"), "2 minutes"),
    Step("autobahn", "./run test websocket", "a minute"),  # its cases, as a table, at every split
    Step("h2spec", live(r"end_to_end\.h2spec$"), "5 minutes"),
    Step("testssl", live(r"end_to_end\.testssl$"), "5 minutes"),
    Step("acme", live(r"end_to_end\.(acme|domain_engines)$"), "2 minutes"),
    Step("fleet", live(r"^deploy\."), "3 minutes"),
    Step("postgresql", live(r"install\.(made|examples_databases)$"), "a minute"),
)


@dataclass(frozen=True)
class Outcome:
    result: str  # passed, failed, or "N skipped" where a test did not run
    seconds: int
    source: str


def source() -> str:
    """A hash of all files that git knows, changed or not, but for documents: `./run test` alone reads those."""
    parts = [
        subprocess.run(["git", *words, "--", ":!docs", ":!*.md"], cwd=ROOT, capture_output=True, check=True).stdout
        for words in (["ls-files", "--stage"], ["diff"])
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def load() -> dict[str, Outcome]:
    try:
        return {name: Outcome(**outcome) for name, outcome in json.loads((PLACE / "results.json").read_text()).items()}
    except (FileNotFoundError, json.JSONDecodeError, TypeError):
        return {}


def save(outcomes: dict[str, Outcome]) -> None:
    """Whole, or not at all: an interrupt must not cost what has passed."""
    new = PLACE / "results.json.new"
    new.write_text(json.dumps({name: asdict(outcome) for name, outcome in outcomes.items()}, indent=1) + "\n")
    new.replace(PLACE / "results.json")


def log_of(step: Step) -> Path:
    return PLACE / f"{step.name}.log"


def result_of(status: int, log: str, *, may_skip: bool) -> str:
    """A test that did not run is no pass, unless the build rules it out. Where none ran, the command fails, though nothing did."""
    if status == 0 and may_skip:
        return "passed"
    skipped = re.findall(r"(?m)^(\d+) skipped$", log)
    if status != 0 and not (skipped and re.search(r"(?m)^0 passed, 0 failed$", log)):
        return "failed"
    return f"{skipped[-1]} skipped" if skipped else "passed"


def run(step: Step, now: str) -> Outcome:
    print(f"{time.strftime('%H:%M')} {step.name}: {step.command} (about {step.takes}; {log_of(step).relative_to(ROOT)})", flush=True)
    began = time.monotonic()
    with log_of(step).open("wb") as log:
        done = subprocess.run(shlex.split(step.command), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                              stderr=subprocess.STDOUT, check=False)
    seconds = round(time.monotonic() - began)
    outcome = Outcome(result_of(done.returncode, log_of(step).read_text(errors="replace"), may_skip=step.may_skip), seconds, now)
    print(f"{time.strftime('%H:%M')} {step.name}: {outcome.result} after {seconds} s", flush=True)
    return outcome


def table(steps: list[Step], outcomes: dict[str, Outcome]) -> str:
    rows = ["| step | command | time | result | log |", "|---|---|---|---|---|"]
    for step in steps:
        outcome = outcomes.get(step.name)
        took, result = (f"{outcome.seconds} s", outcome.result) if outcome else ("", "not run")
        command = step.command.replace("|", "\\|")
        rows.append(f"| {step.name} | `{command}` | {took} | {result} | {log_of(step).relative_to(ROOT)} |")
    return "\n".join(rows)


def provide() -> None:
    """What is no package of Debian's comes into a store that clones share. Where it can't be had, its tests are skipped."""
    store = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weir" / "live"
    store.mkdir(parents=True, exist_ok=True)
    os.environ["PATH"] = f"{store}{os.pathsep}{os.environ['PATH']}"
    if shutil.which("go"):
        subprocess.run(["go", "build", "-o", str(store / "h2spec"), H2SPEC], cwd=ROOT / "tests" / "end_to_end" / "h2spec", check=False)
    axe = store / "package" / "axe.min.js"
    if not axe.exists() and shutil.which("npm"):
        subprocess.run(f"npm pack --silent {AXE} && tar -xzf axe-core-*.tgz", shell=True, cwd=store, check=False)
    if axe.exists():
        os.environ.setdefault("WEIR_AXE", str(axe))
    if schemas := deploy_tools.provide(store):
        os.environ.setdefault("KUBERNETES_SCHEMAS", str(schemas))


def chosen(names: list[str]) -> list[Step]:
    known = {step.name: step for step in STEPS}
    for name in names:
        if name not in known:
            sys.exit(f"there is no step '{name}'; the steps are {', '.join(known)}")
    return [known[name] for name in names] or list(STEPS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run thorough", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", metavar="step", help="only these")
    parser.add_argument("--again", action="store_true", help="run what has passed, too")
    parser.add_argument("--list", action="store_true", help="name the steps, and what they found last")
    arguments = parser.parse_args()
    steps = chosen(arguments.steps)
    PLACE.mkdir(parents=True, exist_ok=True)
    outcomes, now = load(), source()
    if not arguments.list:
        for step in steps:
            before = outcomes.get(step.name)
            if before and before.result == "passed" and before.source == now and not arguments.again:
                print(f"      {step.name}: has passed")
                continue
            if "WEIR_LIVE" in step.command:
                provide()
            outcomes[step.name] = run(step, now)
            save(outcomes)
    current = {name: outcome for name, outcome in outcomes.items() if outcome.source == now}
    print(table(steps, current))
    return 0 if arguments.list or all(step.name in current and current[step.name].result == "passed" for step in steps) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on from here")
