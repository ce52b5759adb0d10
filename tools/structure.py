#!/usr/bin/env python3
"""The rules about the source's shape that a program can check. `python3 tools/structure.py` checks the tracked files.

A rule is a function from the tree (path -> text) to findings; RULES lists them. structure_test.py shows, for each, that
it catches a violation."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import takewhile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

Tree = dict[str, str]

# What each floor may include besides itself.
BELOW = {
    "base": set(),
    "http": {"base"},
    "net": {"base", "http"},
    "site": {"base", "http", "net"},
    "engines": {"base", "http", "net"},
    "server": {"base", "http", "net", "site", "engines"},
    "adapters": {"base", "http", "net", "site", "engines", "server"},
    "cli": {"base", "http", "net", "site", "engines", "server", "adapters"},
}

LINES_MAX = 500
LINES_WARNED = 300
ENGINE_LINES_MAX = 280  # below the comment that explains the architecture
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

# A test waits for events, never for time.
SLEEPS = re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep|time\.sleep|asyncio\.sleep)\b"
                    r"|(?<![\w.])(::)?sleep\s*\(")


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    message: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {'warning: ' if self.warning else ''}{self.message}"


# --- reading C++ --------------------------------------------------------------------------------------------

_LEXEME = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"(?P<own>[^"\n]+)"|<(?P<system>[^>\n]+)>)', re.MULTILINE)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def without_comments(text: str) -> str:
    """The same text, line for line, with blanks where comments were."""
    return _LEXEME.sub(lambda m: _blank(m[0]) if m[0].startswith(("//", "/*")) else m[0], text)


def code_alone(text: str) -> str:
    """The same text, line for line, with blanks where comments and literals were."""
    return _LEXEME.sub(lambda m: _blank(m[0]), text)


def line_of(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def is_cpp(path: str) -> bool:
    return path.endswith((".h", ".cpp", ".inc"))


def floor_of(path: str) -> str | None:
    """src/http/parser.h and include/weir/http/request.h stand on http; include/weir/*.h on the topmost of the library."""
    parts = PurePosixPath(path).parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "weir"):
        return parts[2] if len(parts) > 3 else "server"
    return None


def floors_sources(tree: Tree) -> Iterator[tuple[str, str, str]]:
    for path, text in tree.items():
        floor = floor_of(path)
        if floor and is_cpp(path):
            yield path, floor, text


def own_includes(tree: Tree, path: str) -> Iterator[tuple[int, str, str | None]]:
    """(line, as written, the file it means or None) of each quoted include."""
    text = without_comments(tree[path])
    for match in _INCLUDE.finditer(text):
        if written := match["own"]:
            candidates = [f"src/{written}", f"include/{written}"]
            yield line_of(text, match.start()), written, next((c for c in candidates if c in tree), None)


# --- rules --------------------------------------------------------------------------------------------------


def arrows_point_down(tree: Tree) -> Iterator[Finding]:
    for path, floor, _ in floors_sources(tree):
        if floor not in BELOW:
            yield Finding(path, 1, f"'{floor}' is no floor of the house")
            continue
        for line, written, target in own_includes(tree, path):
            if target is None:
                yield Finding(path, line, f'"{written}" is neither in src/ nor in include/ (paths start there)')
            elif (other := floor_of(target)) != floor and other not in BELOW[floor]:
                yield Finding(path, line, f'{floor} may not include {other} ("{written}")')


def includes_make_no_circle(tree: Tree) -> Iterator[Finding]:
    edges = {path: [t for _, _, t in own_includes(tree, path) if t] for path, _, _ in floors_sources(tree)}
    finished: set[str] = set()

    def visit(path: str, trail: list[str]) -> Iterator[Finding]:
        if path in trail:
            circle = trail[trail.index(path):] + [path]
            yield Finding(path, 1, "includes go in a circle: " + " > ".join(circle))
        elif path not in finished:
            for target in edges.get(path, []):
                yield from visit(target, trail + [path])
            finished.add(path)

    for path in sorted(edges):
        yield from visit(path, [])


def http_is_pure(tree: Tree) -> Iterator[Finding]:
    for path, floor, text in floors_sources(tree):
        if floor != "http":
            continue
        for match in _INCLUDE.finditer(without_comments(text)):
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
        lines = text.count("\n") - len(list(takewhile(lambda line: line.startswith("//"), text.splitlines())))
        if path.endswith(".cpp") and lines > ENGINE_LINES_MAX:
            yield Finding(path, lines, f"{lines} lines below its comment; an engine has at most {ENGINE_LINES_MAX}")


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
    arrows_point_down,
    includes_make_no_circle,
    http_is_pure,
    engines_know_no_http,
    files_are_short,
    tests_wait_for_events,
    headers_are_guarded,
]


def source_names(root: Path) -> list[str]:
    """What git tracks; in an unpacked release, which has no git, what lies in the source directories."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True)
        return listed.stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        found = [file for top in ("src", "include", "tests", "tools", "bench") for file in (root / top).rglob("*")]
        return [str(file.relative_to(root)) for file in found] + ["run"]


def read_tree(root: Path) -> Tree:
    wanted = [name for name in source_names(root) if is_cpp(name) or name.endswith(".py") or name == "run"]
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
