"""What a rule of structure.py says of one line of one file."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    message: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {'warning: ' if self.warning else ''}{self.message}"
