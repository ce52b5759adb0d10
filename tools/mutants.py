#!/usr/bin/env python3
"""`mutants.py TREE --count N`: changes one place of the source at a time, builds, and runs the tests until one notices.

TREE is a copy of the sources that nobody else uses, with a configured build/release; its files are put back afterwards.
The report has one line of JSON for each mutant: killed (by which test), survived, or stillborn (it does not compile).
Started again with the same report and seed, it goes on where it stopped."""

import argparse
import json
import random
import signal
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from cpp_source import is_cpp
from mutant_judge import judge
from mutation import Mutant, mutants

FLOORS = ["base", "http", "net", "site", "engines", "server", "sandbox", "cli"]
KEPT = "build/before_the_mutant"  # the file that is changed, under TREE


def candidates(tree: Path, floors: list[str]) -> list[Mutant]:
    files = [path for floor in floors for path in sorted((tree / "src" / floor).rglob("*")) if is_cpp(path.name)]
    return [found for path in files for found in mutants(str(path.relative_to(tree)), path.read_text(encoding="utf-8"))]


def chosen(all_of_them: list[Mutant], seed: int) -> list[Mutant]:
    """In an order that depends on the seed alone, a floor as often as it has places."""
    return random.Random(seed).sample(all_of_them, len(all_of_them))


def put_back(tree: Path) -> None:
    """What a run that was killed had changed."""
    kept = tree / KEPT
    if kept.exists():
        path, _, text = kept.read_text(encoding="utf-8").partition("\n")
        (tree / path).write_text(text, encoding="utf-8")
        kept.unlink()


def try_one(tree: Path, mutant: Mutant, jobs: int) -> dict[str, object]:
    file = tree / mutant.path
    text = file.read_text(encoding="utf-8")
    begun = time.monotonic()
    (tree / KEPT).write_text(f"{mutant.path}\n{text}", encoding="utf-8")
    file.write_text(mutant.applied_to(text), encoding="utf-8")
    try:
        verdict = judge(tree / "build/release", mutant, jobs)
    finally:
        put_back(tree)
    return {"mutant": str(mutant), **asdict(verdict), "seconds": round(time.monotonic() - begun)}


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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    put_back(given.tree)
    records = read_report(given.report)
    tried = {record["mutant"] for record in records}
    for mutant in chosen(candidates(given.tree, given.floor or FLOORS), given.seed):
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
