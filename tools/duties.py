"""The duties of an engine, and the tests that hold them: the comment above `Host` in src/engines/contract/host.h."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cpp_source import Tree
from finding import Finding

HOST = "src/engines/contract/host.h"
_DUTY = re.compile(r"^(?P<number>\d+)\. (?P<name>[\w ]+)[.,:] (?P<text>.*?)(?:\[(?P<tests>[^\]]*)\]|(?=^\d+\. )|\Z)", re.DOTALL | re.MULTILINE)
_TEST_FILE = re.compile(r"tests/\S+_test\.cpp")
_CONTRACT_TEST = re.compile(r"^TEST_P\((\w+),\s*(\w+)\)", re.MULTILINE)


@dataclass
class Duty:
    name: str
    text: str
    tests: list[str] = field(default_factory=list)


def duties(header: str) -> list[Duty]:
    """Those of the comment: '1. Name. Sentences. [Suite.Test, Suite.Test]', or a file of tests in the sentences."""
    comment = "\n".join(re.sub(r"^\s*/// ?", "", line).strip() for line in header.splitlines() if line.lstrip().startswith("///"))
    return [
        Duty(f"{m['number']}. {m['name']}", " ".join(m["text"].split()), re.findall(r"\w+\.\w+", m["tests"] or ""))
        for m in _DUTY.finditer(comment)
    ]


def duties_name_tests(tree: Tree) -> Iterator[Finding]:
    """A rule of structure.py: each duty names tests or a file of them, and each test that it names runs over all engines."""
    if HOST not in tree:
        return
    tests = {
        f"{suite}.{name}"
        for path, text in tree.items()
        if path.startswith(("tests/contract/", "tests/faults/"))
        for suite, name in _CONTRACT_TEST.findall(text)
    }
    for duty in duties(tree[HOST]):
        if not duty.tests and not any(path in tree for path in _TEST_FILE.findall(duty.text)):
            yield Finding(HOST, 1, f"no test holds duty {duty.name}")
        for test in duty.tests:
            if test not in tests:
                yield Finding(HOST, 1, f"duty {duty.name} names {test}, which is no test of all engines")
