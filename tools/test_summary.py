#!/usr/bin/env python3
"""Reads ctest's JUnit reports; says what was skipped, how long it took and, last, 'N passed, N failed'.

test_summary.py SECONDS REPORT [AGAIN]    AGAIN, where there is one, is of the tests of REPORT that failed and ran again
test_summary.py --few-failed REPORT       says by its exit status whether so few tests failed that they may run again"""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

FEW = 5


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


def outcomes_of(report: str) -> dict[str, str]:
    cases = ElementTree.parse(report).getroot().iter("testcase")
    return {case.get("name", "?") + reason(case): outcome(case) for case in cases}


def few_failed(report: str) -> int:
    failed = list(outcomes_of(report).values()).count("failed")
    return 0 if 0 < failed <= FEW else 1


def settled(first: dict[str, str], again: dict[str, str]) -> dict[str, str]:
    """A test that passed only the second time has passed, and is named."""
    unsteady = [name for name, result in first.items() if result == "failed" and again.get(name) == "passed"]
    for name in unsteady:
        print(f"unsteady, since it passed the second time: {name}")
    return first | dict.fromkeys(unsteady, "passed")


def main(seconds: str, report: str, again: str = "") -> int:
    try:
        outcomes = outcomes_of(report)
        if again and Path(again).exists():
            outcomes = settled(outcomes, outcomes_of(again))
    except (OSError, ElementTree.ParseError) as error:
        print(f"no test report was written: {error}", file=sys.stderr)
        return 1
    counts = Counter(outcomes.values())
    for name, result in outcomes.items():
        if result != "passed":
            print(f"{result}: {name}")
    if counts["skipped"]:
        print(f"{counts['skipped']} skipped")
    print(f"took {seconds} s, building included")
    print(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(few_failed(sys.argv[2]) if sys.argv[1] == "--few-failed" else main(*sys.argv[1:]))
