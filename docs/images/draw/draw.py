"""Draws the demonstration site's diagrams into www/images/. Standard library only: python3 docs/images/draw/draw.py"""

import sys
from pathlib import Path

import contract
import section
from chart import drawing
from engines import ENGINES

IMAGES = Path(__file__).resolve().parents[3] / "www" / "images"


def drawings():
    """Every generated file: its name below www/images/, and its text."""
    for name, (parts, words) in ENGINES.items():
        yield f"engines/{name}.svg", drawing(name, parts(), words)
    yield "contract.svg", drawing("The contract between engine and core", contract.contract(), height=contract.HEIGHT, base=False)
    yield "weir.svg", section.section()
    yield "weir-narrow.svg", section.section(narrow=True)
    yield "favicon.svg", section.favicon()


def main(target=IMAGES):
    for name, words in drawings():
        file = Path(target) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(words, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
