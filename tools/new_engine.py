#!/usr/bin/env python3
"""Begins an engine: `python3 tools/new_engine.py NAME`, or `./run new-engine NAME`.

Copies the template to src/engines/, adds a row to engines.toml, and writes what is made from the rows.
docs/write-an-engine.md goes on from there."""

import re
import sys
from pathlib import Path

import engine_rows

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "tools/new_engine/engine.cpp.txt"

ROW = """
[engine.{name}]
family = "loop"
summary = "Say in a sentence or two how it works."
waits = "say which thread waits for the peer, and in which call"
handlers_run = "say where handlers run"
shared = "say what connections and threads share"
good_at = "say what it is good at"
bad_at = "say what it is bad at"
costs = {{ idle = "not measured", calls = "not measured", of_100 = "not measured", of_one_request = "not measured", switches = "not measured" }}
drawing = "Say what its drawing shows."
"""


class Refused(Exception):
    """With what to do."""


def source_of(name: str) -> str:
    text = TEMPLATE.read_text()
    class_name = "".join(part.capitalize() for part in name.split("-"))
    for mark, value in {"@name@": name, "@function@": name.replace("-", "_"), "@Class@": class_name}.items():
        text = text.replace(mark, value)
    return text


def add(root: Path, name: str) -> Path:
    """Returns the new file."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise Refused(f"'{name}' can't be an engine's name: use small letters, digits and single hyphens")
    source = root / f"src/engines/{name.replace('-', '_')}.cpp"
    if source.exists() or name in (one.name for one in engine_rows.read(root).engines):
        raise Refused(f"there is an engine '{name}' already; choose another name")
    source.write_text(source_of(name))
    with (root / engine_rows.ROWS).open("a") as rows:
        rows.write(ROW.format(name=name))
    engine_rows.write(root)
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
    print(f"{source.relative_to(ROOT)} is there, and its row in {engine_rows.ROWS}.")
    print("docs/write-an-engine.md says how to go on. To see what it does not do yet:")
    print(f"    ./run test contract/{arguments[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
