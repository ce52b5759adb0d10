#!/usr/bin/env python3
"""Begins an engine: `python3 tools/new_engine.py NAME`, or `./run new-engine NAME`.

Copies the template to src/engines/ and adds what the rest of the program must know of it: the source in CMakeLists.txt,
the function in entry_points.h, a row in engines.cpp. docs/write-an-engine.md goes on from there."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "tools/new_engine/engine.cpp.txt"

ROW = """    Engine{{
        .name = "{name}",
        .waits = "say which thread waits for the peer, and in which call",
        .handlers_run = "say where handlers run",
        .good_at = "say what it is good at",
        .bad_at = "say what it is bad at",
        .has_workers = false,
        .run = run_{function},
    }},
"""


class Refused(Exception):
    """With what to do."""


def source_of(name: str) -> str:
    text = TEMPLATE.read_text()
    class_name = "".join(part.capitalize() for part in name.split("-"))
    for mark, value in {"@name@": name, "@function@": name.replace("-", "_"), "@Class@": class_name}.items():
        text = text.replace(mark, value)
    return text


def with_line(text: str, line: str, pattern: str) -> str:
    """`line` after the last line that matches."""
    last = list(re.finditer(pattern, text, re.MULTILINE))[-1]
    return text[: last.end()] + "\n" + line + text[last.end() :]


def with_row(table: str, row: str) -> str:
    """`row` at the end of the table: before the brace that closes it."""
    begin = table.index("constexpr std::array table{")
    end = table.index("\n};", begin) + 1
    return table[:end] + row + table[end:]


def add(root: Path, name: str) -> Path:
    """Returns the new file."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise Refused(f"'{name}' can't be an engine's name: use small letters, digits and single hyphens")
    engines = root / "src/engines"
    function = name.replace("-", "_")
    source = engines / f"{function}.cpp"
    if source.exists() or f'.name = "{name}"' in (engines / "engines.cpp").read_text():
        raise Refused(f"there is an engine '{name}' already; choose another name")
    source.write_text(source_of(name))
    for file, change in {
        "CMakeLists.txt": lambda text: with_line(text, f"        {function}.cpp", r"^        [\w/]+\.cpp$"),
        "entry_points.h": lambda text: with_line(
            text, f"std::error_code run_{function}(Host& host);", r"^std::error_code run_\w+\(Host& host\);$"
        ),
        "engines.cpp": lambda text: with_row(text, ROW.format(name=name, function=function)),
    }.items():
        path = engines / file
        path.write_text(change(path.read_text()))
    return source


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or arguments[0] in ("-h", "--help"):
        print("usage: ./run new-engine NAME     (for example: ./run new-engine my-engine)")
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    try:
        source = add(ROOT, arguments[0])
    except Refused as why:
        print(f"new-engine: {why}", file=sys.stderr)
        return 2
    print(f"{source.relative_to(ROOT)} is there, and its row in src/engines/engines.cpp.")
    print("docs/write-an-engine.md says how to go on. To see what it does not do yet:")
    print(f"    ./run test contract/{arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
