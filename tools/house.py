"""The rules about floors (the layers of docs/architecture.md) and rooms (the folders in src/).

structure.py runs them."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from cpp_source import Tree, is_cpp, line_of, own_includes
from finding import Finding

# What each floor may include besides itself. The CMake files and docs/architecture.md say the same.
BELOW = {
    "base": set(),
    "http": {"base"},
    "net": {"base"},
    "tls": {"base", "http", "net", "web"},
    "upstream": {"base", "http", "net"},
    "proxy": {"base", "http", "net", "site", "upstream"},
    "site": {"base", "http", "net"},
    "web": {"base", "http"},
    "client": {"base", "http", "net", "upstream", "web"},
    "compress": {"base", "http", "web"},
    "archive": {"base", "http", "net", "site"},
    "markdown": {"base", "http", "site"},
    "upload": {"base", "http", "net", "site", "web"},
    "dav": {"base", "http", "net", "site", "web", "upload"},
    "access": {"base", "http", "net", "site", "web"},
    "rules": {"base", "http", "net", "site", "web", "access"},
    "live": {"base", "http", "net", "rules", "site"},
    "engines": {"base", "http", "net"},
    "server": {"base", "http", "net", "web", "client", "engines"},
    "logs": {"server"},
    "sandbox": {"base", "net"},
    "supervisor": {"base", "net"},
    "acme": {"base", "http", "net", "tls", "web", "client", "server"},
    "cli": {"acme", "base", "http", "net", "tls", "compress", "archive", "markdown", "site", "upload", "dav", "live", "access", "rules", "proxy", "engines", "server", "sandbox", "supervisor"},
}

# A .h and a .cpp of the same name are one idea. About fifteen of them are what a reader can keep in view.
IDEAS_MAX = 15
# Engines are a row of siblings: they don't crowd a room.
ENGINE = re.compile(r"^std::error_code run_\w+\(Host&(?: \w+)?\)", re.MULTILINE)

ARCHITECTURE = "docs/architecture.md"


def floor_of(path: str) -> str | None:
    """The floor of src/http/head/parser.h and include/weir/http/request.h is http."""
    parts = PurePosixPath(path).parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "weir"):
        return parts[2] if len(parts) > 3 else "server"
    return None


def is_engine(text: str) -> bool:
    """Whether a source defines an engine, or what stands in for one that is left out of the build."""
    return ENGINE.search(text) is not None


def floors_sources(tree: Tree) -> Iterator[tuple[str, str, str]]:
    for path, text in tree.items():
        floor = floor_of(path)
        if floor and is_cpp(path):
            yield path, floor, text


# --- rules --------------------------------------------------------------------------------------------------------


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


def permissions_are_used(tree: Tree) -> Iterator[Finding]:
    used: dict[str, set[str | None]] = defaultdict(set)
    for path, floor, _ in floors_sources(tree):
        used[floor].update(floor_of(target) for _, _, target in own_includes(tree, path) if target)
    for floor, below in BELOW.items():
        for other in sorted(below - used[floor]):
            yield Finding("tools/house.py", 1, f"{floor} may include {other}, but no file of it does")


def includes_make_no_circle(tree: Tree) -> Iterator[Finding]:
    edges = {path: [t for _, _, t in own_includes(tree, path) if t] for path, _, _ in floors_sources(tree)}
    for circle in circles(edges):
        yield Finding(circle[0], 1, "includes go in a circle: " + " > ".join(circle))


def rooms_have_one_direction(tree: Tree) -> Iterator[Finding]:
    """Where a file of one folder includes one of another, none of the other folder leads back."""
    witnesses: dict[tuple[str, str], tuple[str, int]] = {}
    edges: dict[str, list[str]] = defaultdict(list)
    for path, _, _ in floors_sources(tree):
        here = str(PurePosixPath(path).parent)
        for line, _, target in own_includes(tree, path):
            there = str(PurePosixPath(target).parent) if target else here
            if there != here and (here, there) not in witnesses:
                witnesses[here, there] = path, line
                edges[here].append(there)
    for circle in circles(edges):
        steps = [(witnesses[step], step[1]) for step in zip(circle, circle[1:], strict=False)]
        ways = ", ".join(f"{path}:{line} includes of {there}" for (path, line), there in steps)
        yield Finding(*steps[0][0], f"folders include each other: {ways}")


def circles(edges: dict[str, list[str]]) -> Iterator[list[str]]:
    """Each ends where it begins."""
    finished: set[str] = set()

    def visit(node: str, trail: list[str]) -> Iterator[list[str]]:
        if node in trail:
            yield trail[trail.index(node):] + [node]
        elif node not in finished:
            for target in edges.get(node, []):
                yield from visit(target, trail + [node])
            finished.add(node)

    for node in sorted(edges):
        yield from visit(node, [])


def maps_agree(tree: Tree) -> Iterator[Finding]:
    """weir_floor(... DEPENDS ...) in the CMake files, and the last column of the table of layers, are BELOW."""
    for floor, below in BELOW.items():
        build_file = f"src/{floor}/CMakeLists.txt"
        yield from differences(build_file, floor, depends_in(tree.get(build_file, ""), floor), below)
        yield from differences(ARCHITECTURE, floor, row_in(tree.get(ARCHITECTURE, ""), floor), below)


def differences(path: str, floor: str, found: tuple[int, set[str]] | None, below: set[str]) -> Iterator[Finding]:
    if found is None:
        yield Finding(path, 1, f"it does not say what {floor} may include")
        return
    line, said = found
    for other in sorted(said ^ below):
        what = "lets" if other in said else "does not let"
        yield Finding(path, line, f"it {what} {floor} include {other}; tools/house.py says otherwise")


def depends_in(cmake: str, floor: str) -> tuple[int, set[str]] | None:
    call = re.search(rf"\bweir_floor\(\s*{floor}\b([^)]*)\)", cmake)
    if not call:
        return None
    depends = re.search(r"\bDEPENDS\b((?:\s+[a-z_]+\b)*)", call[1])
    return line_of(cmake, call.start()), set(depends[1].split() if depends else [])


def row_in(table: str, floor: str) -> tuple[int, set[str]] | None:
    row = re.search(rf"^\| `{floor}/` \|.*\|([^|\n]*)\|$", table, re.MULTILINE)
    return (line_of(table, row.start()), set(re.findall(r"`(\w+)`", row[1]))) if row else None


def rooms_are_small(tree: Tree) -> Iterator[Finding]:
    rooms: dict[str, set[str]] = defaultdict(set)
    for path, text in tree.items():
        file = PurePosixPath(path)
        if path.startswith("src/") and is_cpp(path) and not is_engine(text):
            rooms[str(file.parent)].add(file.stem.removesuffix("_unavailable"))  # what stands in for an optional part
    for room, ideas in rooms.items():
        if len(ideas) > IDEAS_MAX:
            yield Finding(room, 1, f"{len(ideas)} ideas in one room; it has at most {IDEAS_MAX}")
