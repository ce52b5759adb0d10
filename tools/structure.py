#!/usr/bin/env python3
"""The rules about the source's shape that a program can check. `python3 tools/structure.py` checks the tracked files.

A rule is a function from the tree (path -> text) to findings; RULES lists them. For each, a test shows that it catches
a violation: structure_test.py, house_test.py, duties_test.py, dead_code_test.py."""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import comments
import dead_code
import duties
import house
from cpp_source import INCLUDE, Tree, code_alone, is_cpp, line_of, source_names, without_comments
from finding import Finding
from house import floors_sources

LINES_MAX = 500
LINES_WARNED = 300
GENERATED = re.compile(r"^\W*(@generated|[Gg]enerated (from|by))\b", re.MULTILINE)

# http/ is given bytes and times, and gives back bytes and times.
HTTP_HEADERS_FORBIDDEN = re.compile(
    r"(sys|netinet|arpa|net|linux|asm|bits)/.*"
    r"|(unistd|fcntl|poll|pthread|semaphore|signal|time|stdio|sched|spawn|dirent|dlfcn|errno|threads|stdatomic)\.h"
    r"|c(time|signal|stdio|errno)"
    r"|thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|stop_token|atomic"
    r"|fstream|iostream|sstream|ostream|istream|syncstream|filesystem|random|locale|print"
)
HTTP_TOKENS_FORBIDDEN = re.compile(
    r"::now\(|\bstd::(thread|jthread|mutex|atomic|async|condition_variable|lock_guard|scoped_lock|random_device)\b"
    r"|\b(clock_gettime|gettimeofday|getenv|errno|printf|fprintf|syscall|thread_local)\b"
)

# An engine moves bytes; whoever finds one of these in it has found protocol in the wrong place.
ENGINE_WORDS_FORBIDDEN = re.compile(
    r"\b(GET|HEAD|POST|PUT|DELETE|OPTIONS|HTTP/1|Content-Length|Transfer-Encoding|Keep-Alive|keep-alive|chunked"
    r"|Host:|Connection:|Expect:|Date:)|\\r\\n"
)

# A test waits for events, never for time. sleep_for() of weir::web is none of these: a test turns its clock. The one of
# the standard library can't be called without its namespace, be that in a using directive or an alias.
SLEEPS = re.compile(r"\bstd::this_thread\b(?!::(?:get_id|yield)\b)|\bthis_thread::sleep"
                    r"|\b(sleep_until|usleep|nanosleep|clock_nanosleep|time\.sleep|asyncio\.sleep)\b"
                    r"|(?<![\w.])(::)?sleep\s*\(")


def http_is_pure(tree: Tree) -> Iterator[Finding]:
    for path, floor, text in floors_sources(tree):
        if floor != "http":
            continue
        for match in INCLUDE.finditer(without_comments(text)):
            if match["system"] and HTTP_HEADERS_FORBIDDEN.fullmatch(match["system"]):
                yield Finding(path, line_of(text, match.start()), f"http/ may not include <{match['system']}>")
        for match in HTTP_TOKENS_FORBIDDEN.finditer(code_alone(text)):
            yield Finding(path, line_of(text, match.start()), f"http/ may not use '{match[0]}'")


def engines_know_no_http(tree: Tree) -> Iterator[Finding]:
    for path, floor, text in floors_sources(tree):
        if floor != "engines":
            continue
        for match in ENGINE_WORDS_FORBIDDEN.finditer(without_comments(text)):
            yield Finding(path, line_of(text, match.start()), f"an engine knows no HTTP, but here is '{match[0]}'")


def files_are_short(tree: Tree) -> Iterator[Finding]:
    for path, text in tree.items():
        lines = text.count("\n")
        counted = is_cpp(path) or path.endswith(".py") or path == "run"
        if not counted or lines <= LINES_WARNED or GENERATED.search("\n".join(text.splitlines()[:10])):
            continue
        limit = LINES_MAX if lines > LINES_MAX else LINES_WARNED
        yield Finding(path, lines, f"{lines} lines, past {limit}", warning=lines <= LINES_MAX)


def tests_wait_for_events(tree: Tree) -> Iterator[Finding]:
    for path, text in tree.items():
        if not path.startswith("tests/") or not (is_cpp(path) or path.endswith(".py")):
            continue
        searched = code_alone(text) if is_cpp(path) else re.sub(r"#[^\n]*", "", text)
        for match in SLEEPS.finditer(searched):
            yield Finding(path, line_of(searched, match.start()), f"a test waits for events, not for time: {match[0]}")


def headers_are_guarded(tree: Tree) -> Iterator[Finding]:
    for path, text in tree.items():
        if path.endswith(".h") and "#pragma once\n" not in text:
            yield Finding(path, 1, "#pragma once is missing")


RULES: list[Callable[[Tree], Iterator[Finding]]] = [
    house.arrows_point_down,
    house.permissions_are_used,
    house.includes_make_no_circle,
    house.rooms_have_one_direction,
    house.maps_agree,
    house.rooms_are_small,
    http_is_pure,
    engines_know_no_http,
    files_are_short,
    tests_wait_for_events,
    headers_are_guarded,
    duties.duties_name_tests,
    comments.comments_open_with_nouns,
    dead_code.declarations_are_used,
    dead_code.exceptions_are_needed,
    dead_code.files_are_named,
]


def is_read(path: str) -> bool:
    """Programs, what they are built by, and what documents them."""
    documents = path.endswith(".md") and (path.startswith("docs/") or "/" not in path)
    return is_cpp(path) or path.endswith((".py", ".cmake", "CMakeLists.txt")) or path == "run" or documents


def read_tree(root: Path) -> Tree:
    wanted = [name for name in source_names(root) if is_read(name)]
    return {name: (root / name).read_text(encoding="utf-8") for name in wanted if (root / name).is_file()}


def main() -> int:
    tree = read_tree(Path(__file__).resolve().parent.parent)
    findings = [finding for rule in RULES for finding in rule(tree)]
    if not tree:
        print("there is no source to check")
        return 1
    for finding in findings:
        print(finding)
    return 1 if any(not finding.warning for finding in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
