#!/usr/bin/env python3
"""`mutants.py TREE --count N`: changes one place of the source at a time, builds, and runs the tests until one notices.

TREE is a copy of the sources that nobody else uses, with a configured build/release; its files are put back afterwards.
The report has one line of JSON for each mutant: killed (by which test), survived, or stillborn (it does not compile).
Started again with the same report and seed, it goes on where it stopped."""

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from cpp_source import is_cpp
from mutation import Mutant, mutants

BUILD_SECONDS = 900
TEST_SECONDS = 1200
# What notices soonest comes first. A stage is a regex of ctest's; {floor} is that of the changed file.
STAGES = ("^{floor}\\.", "^(http|corpus|site|server|cli)\\.", "^(contract|faults)\\.", "^(end_to_end|instructions)\\.")
# Found by names of engines: their contract tests come alone, for they are those that ask the file.
ENGINE_STAGE = "^(contract|faults)\\..*/{engine}"
FAILED = re.compile(r"^\s*\d+ - (\S+) \(", re.MULTILINE)


def candidates(tree: Path, floors: list[str]) -> list[Mutant]:
    files = [path for floor in floors for path in sorted((tree / "src" / floor).rglob("*")) if is_cpp(path.name)]
    return [found for path in files for found in mutants(str(path.relative_to(tree)), path.read_text(encoding="utf-8"))]


def chosen(all_of_them: list[Mutant], seed: int) -> list[Mutant]:
    """In an order that depends on the seed alone, a floor as often as it has places."""
    return random.Random(seed).sample(all_of_them, len(all_of_them))


def stages(mutant: Mutant) -> list[str]:
    floor = mutant.path.split("/")[1]
    engine = Path(mutant.path).stem
    own = [ENGINE_STAGE.format(engine=engine)] if mutant.path == f"src/engines/{engine}.cpp" else []
    return own + [stage.format(floor=floor) for stage in STAGES]


def run(command: list[str], seconds: float) -> tuple[int | None, str]:
    """(None, ...) where it took longer."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + done.stderr


def judge(tree: Path, mutant: Mutant, jobs: int) -> tuple[str, str]:
    """(what became of it, which test noticed)."""
    build = tree / "build/release"
    if run(["ninja", "-C", str(build), "-j", str(jobs)], BUILD_SECONDS)[0] != 0:
        return "stillborn", ""
    for stage in stages(mutant):
        status, output = run(["ctest", "--test-dir", str(build), "-R", stage, "-j", str(2 * jobs), "--stop-on-failure",
                              "--timeout", "120"], TEST_SECONDS)
        if status is None:
            return "killed", f"{stage} took longer than {TEST_SECONDS} s"
        if status != 0:
            names = FAILED.findall(output)
            return "killed", names[0] if names else stage
    return "survived", ""


def try_one(tree: Path, mutant: Mutant, jobs: int) -> dict[str, object]:
    file = tree / mutant.path
    text = file.read_text(encoding="utf-8")
    begun = time.monotonic()
    file.write_text(mutant.applied_to(text), encoding="utf-8")
    try:
        result, by = judge(tree, mutant, jobs)
    finally:
        file.write_text(text, encoding="utf-8")
    return {"mutant": str(mutant), "result": result, "by": by, "seconds": round(time.monotonic() - begun)}


def summary(records: list[dict[str, object]]) -> str:
    of_floor: dict[str, Counter[str]] = {}
    for record in records:
        floor = str(record["mutant"]).split("/")[1]
        of_floor.setdefault(floor, Counter())[str(record["result"])] += 1
    lines = [f"{floor}: {counts['killed']} of {counts['killed'] + counts['survived']} killed, {counts['stillborn']} did not compile"
             for floor, counts in sorted(of_floor.items())]
    return "\n".join(lines)


def read_report(report: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()] if report.exists() else []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--count", type=int, default=150, help="mutants that compile (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--floor", action="append", metavar="NAME", help="only this one; may be repeated")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    records = read_report(given.report)
    tried = {record["mutant"] for record in records}
    for mutant in chosen(candidates(given.tree, given.floor or ["base", "http", "net", "site", "engines", "server", "cli"]), given.seed):
        if sum(record["result"] != "stillborn" for record in records) >= given.count:
            break
        if str(mutant) in tried:
            continue
        record = try_one(given.tree, mutant, given.jobs)
        records.append(record)
        with given.report.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        print(f"{record['result']:9} {record['mutant']} {record['by']}", flush=True)
    print(summary(records))
    return 0


if __name__ == "__main__":
    sys.exit(main())
