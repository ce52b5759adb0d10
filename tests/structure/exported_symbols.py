#!/usr/bin/env python3
"""packaging/libweir.symbols is what the shared library exports: what the public headers declare, and what the libraries
beside it (weir-tls and so on) need of it. Programs that were linked with it rely on each line.

usage: exported_symbols.py <nm> <libweir.a> <libweir.so> <libweir_*.a>... [--write]

A line that is missing here is new: add it (--write does it). One that is too much has gone from the library: programs
break that used it. So it may go only with a new number in the soname, as docs/library.md says."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from cpp_source import code_alone  # noqa: E402  (it lies in tools/)

LIST = ROOT / "packaging" / "libweir.symbols"
DATA_OF_CLASS = re.compile(r"^(?:vtable|typeinfo|typeinfo name) for ")
STRONG, WEAK_DATA = "TDBRS", "uVv"


def public_names() -> tuple[set[str], set[str]]:
    """The classes that the public headers define, and the functions that they declare outside of classes."""
    classes: set[str] = set()
    functions: set[str] = set()
    for header in sorted((ROOT / "include").rglob("*.h")):
        read_header(code_alone(header.read_text()), classes, functions)
    return classes, functions


def read_header(code: str, classes: set[str], functions: set[str]) -> None:
    scopes: list[tuple[str, str]] = []  # what each open brace began: its kind, and its full name
    begin = 0
    for match in re.finditer(r"[{};]", code):
        head = code[begin : match.start()]
        begin = match.end()
        kind, around = scopes[-1] if scopes else ("namespace", "")
        if kind == "namespace":
            functions.update(f"{around}{name}" for name in re.findall(r"\b(\w+)\s*\(", head))
        if match[0] == "{":
            scopes.append(opened(head, kind, around))
            if scopes[-1][0] == "class":
                classes.add(scopes[-1][1].removesuffix("::"))
        elif match[0] == "}" and scopes:
            scopes.pop()


def opened(head: str, kind: str, around: str) -> tuple[str, str]:
    if found := re.search(r"\bnamespace\s+([\w:]+)\s*$", head):
        return "namespace", f"{around}{found[1]}::"
    found = re.search(r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*|\[\[.*?\]\]\s*)?(\w+)\s*(?:final\s*)?(?::[^:].*)?$", head, re.DOTALL)
    if found and kind in ("namespace", "class"):
        return "class", f"{around}{found[1]}::"
    return "other", ""


def symbols(nm: str, file: str, *options: str) -> Iterator[tuple[str, str]]:
    """(type as nm says it, demangled name); what has no address has the type U."""
    listed = subprocess.run([nm, "-C", *options, file], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        if match := re.match(r"[0-9a-f ]{16} (\w) (.*)$", line):
            yield match[1], match[2].split("@")[0] if "@WEIR" in match[2] else match[2]


def is_public(name: str, classes: set[str], functions: set[str]) -> bool:
    if table := DATA_OF_CLASS.match(name):
        return name[table.end() :] in classes
    qualified = re.sub(r"\[abi:\w+\]", "", name.split("(")[0])
    owner, _, _ = qualified.rpartition("::")
    return qualified in classes or qualified in functions or owner in classes


def wanted(nm: str, archive: str, beside: list[str]) -> set[str]:
    classes, functions = public_names()
    defined = [(kind, name) for kind, name in symbols(nm, archive, "--defined-only") if "[clone" not in name]
    strong = {name for kind, name in defined if kind in STRONG}
    weak_data = {name for kind, name in defined if kind in WEAK_DATA}
    needed: set[str] = set()
    shared: set[str] = set()  # data of inline functions, of which a program may have one copy only
    for library in beside:
        for kind, name in symbols(nm, library):
            (shared if kind in WEAK_DATA else needed).add(name)
    is_data = re.compile(r"^(?:guard variable for )?weir::.*\)::\w+$")
    tables = {name for name in weak_data if DATA_OF_CLASS.match(name)}
    return (
        {name for name in strong | tables if is_public(name, classes, functions)}
        | {name for name in strong if name in needed}
        | {name for name in weak_data & shared if is_data.match(name)}
    )


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    nm, archive, library, *beside = arguments
    now = wanted(nm, archive, beside)
    if "--write" in sys.argv:
        LIST.write_text("".join(f"{name}\n" for name in sorted(now)))
    listed = set(LIST.read_text().splitlines())
    exported = {name for _, name in symbols(nm, library, "-D", "--defined-only") if not name.startswith("WEIR_")}
    findings = [f"{name}: new; add it to packaging/libweir.symbols (--write does)" for name in sorted(now - listed)]
    findings += [f"{name}: gone, which breaks programs; see docs/library.md" for name in sorted(listed - now)]
    findings += [f"{name}: listed, but {library} does not export it" for name in sorted(now & listed - exported)]
    findings += [f"{name}: exported, but not listed" for name in sorted(exported - listed)]
    print("\n".join(findings) or f"{len(listed)} symbols")
    return 1 if findings or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
