#!/usr/bin/env python3
"""Says in words what an engine does not do yet: `python3 tools/contract_grade.py REPORT ENGINE`.

REPORT is ctest's JUnit report of the contract tests of that engine. The duties and the tests that hold them are read from
the comment above `Host` in src/engines/contract/host.h."""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from duties import HOST, duties
from test_summary import outcome

_TEST = re.compile(r"(?:^contract\.)?Engines/(?P<name>\w+\.\w+)/\w+$")


def words(test: str) -> str:
    """'Peers.ResetAtOnce' -> 'peers: reset at once'."""
    suite, _, name = test.partition(".")
    split = [re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[A-Z][a-z])", " ", part).lower() for part in (suite, name)]
    return ": ".join(split)


def why(case: ElementTree.Element) -> list[str]:
    """What the test expected, as GoogleTest printed it: the first failure."""
    lines = (case.findtext("system-out") or "").splitlines()
    start = next((i for i, line in enumerate(lines) if ": Failure" in line), None)
    if start is None:
        return [line for line in lines if line.strip()][-1:] or ["it ended without a word, or took too long"]
    end = next((i for i in range(start + 1, len(lines)) if not lines[i].strip() or lines[i].startswith("[")), len(lines))
    return [line.strip() for line in lines[start + 1 : end]][:4]


def read(report: str) -> dict[str, tuple[str, ElementTree.Element]]:
    cases = ElementTree.parse(report).getroot().iter("testcase")
    found = {}
    for case in cases:
        if match := _TEST.search(case.get("name", "")):
            found[match["name"]] = (outcome(case), case)
    return found


def tell(title: str, tests: list[str], results: dict[str, tuple[str, ElementTree.Element]]) -> int:
    """Prints one group; returns how many of its tests failed."""
    failed = [test for test in tests if results[test][0] == "failed"]
    passed = sum(results[test][0] == "passed" for test in tests)
    skipped = len(tests) - len(failed) - passed
    aside = f", {skipped} not meant for it" if skipped else ""
    print(f"{'NOT YET' if failed else 'held   '}  {title} ({passed} of {len(tests) - skipped} tests pass{aside})")
    for test in failed:
        print(f"    {words(test)} [{test}]")
        for line in why(results[test][1]):
            print(f"        {line}")
    return len(failed)


def main(report: str, engine: str) -> int:
    results = read(report)
    if not results:
        print(f"no contract test ran for '{engine}': is its row in src/engines/engines.toml?", file=sys.stderr)
        return 1
    print(f"What src/engines/contract/host.h asks of an engine, and what {engine} does:")
    failed, named = 0, set()
    for duty in duties((Path(__file__).resolve().parent.parent / HOST).read_text()):
        tests = [test for test in duty.tests if test in results]
        named.update(tests)
        here = tell(duty.name, tests, results)
        if here:
            print(f"    The duty: {duty.text}")
        failed += here
    failed += tell("What connection.h says of steps and bytes", sorted(set(results) - named), results)
    print(f"{engine} passes the contract." if failed == 0 else f"{failed} of {len(results)} tests say: not yet.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
