"""The neighbours in the story of docs/engines.md: each architecture, and the one that it is read beside."""

import re
from dataclasses import dataclass
from pathlib import Path

from weir_lab.core import built

STORY = built.REPOSITORY / "docs" / "engines.md"
ENGINES = built.REPOSITORY / "src" / "engines"
DIFF = re.compile(r"`diff src/engines/(\w+)\.cpp src/engines/(\w+)\.cpp`")


@dataclass(frozen=True)
class Pair:
    a: str  # the earlier engine, by name: "epoll-edge"
    b: str

    @property
    def sources(self) -> tuple[Path, Path]:
        return source_of(self.a), source_of(self.b)

    @property
    def page_name(self) -> str:
        return f"{self.a}--{self.b}.html"


def neighbours() -> list[Pair]:
    """In the story's order."""
    text = STORY.read_text(encoding="utf-8")
    return list(dict.fromkeys(Pair(a.replace("_", "-"), b.replace("_", "-")) for a, b in DIFF.findall(text)))


def source_of(engine: str) -> Path:
    return ENGINES / f"{engine.replace('-', '_')}.cpp"
