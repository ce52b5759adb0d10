#!/usr/bin/env python3
"""Reads ctest's JUnit report; says what was skipped, which tests were slowest, how long it took and, last, 'N passed, N failed'."""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

SLOWEST_SHOWN = 10


def outcome(case: ElementTree.Element) -> str:
    """A test that says itself that it skips is skipped; one that ctest could not start has failed."""
    status = case.get("status")
    if status == "run":
        return "passed"
    skipped = case.find("skipped")
    message = skipped.get("message", "") if skipped is not None else ""
    if status == "disabled" or message.startswith("SKIP_"):
        return "skipped"
    return "failed"


def reason(case: ElementTree.Element) -> str:
    """Why a Python program skipped: the last line that it printed."""
    skipped = case.find("skipped")
    if skipped is None or not skipped.get("message", "").startswith("SKIP_RETURN_CODE"):
        return ""
    lines = (case.findtext("system-out") or "").strip().splitlines()
    return f" ({lines[-1]})" if lines else ""


def cases_of(report: str | Path) -> list[ElementTree.Element]:
    """OSError or ParseError where ctest wrote no report."""
    return list(ElementTree.parse(report).getroot().iter("testcase"))


def seconds_of(case: ElementTree.Element) -> float:
    return float(case.get("time", "0"))


def show_slowest(cases: list[ElementTree.Element]) -> None:
    print("the slowest tests:")
    for case in sorted(cases, key=seconds_of, reverse=True)[:SLOWEST_SHOWN]:
        print(f"{seconds_of(case):8.1f} s  {case.get('name', '?')}")


def main(report: str, seconds: str) -> int:
    try:
        cases = cases_of(report)
    except (OSError, ElementTree.ParseError) as error:
        print(f"no test report was written: {error}", file=sys.stderr)
        return 1
    outcomes = {case.get("name", "?") + reason(case): outcome(case) for case in cases}
    counts = Counter(outcomes.values())
    for name, result in outcomes.items():
        if result != "passed":
            print(f"{result}: {name}")
    if counts["skipped"]:
        print(f"{counts['skipped']} skipped")
    show_slowest(cases)
    print(f"took {seconds} s, building included")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
