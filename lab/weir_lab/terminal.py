"""What the lab prints: lines, tables, and on a terminal one line that shows the progress and is written over."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TextIO

COLOURS = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}
GAP = "  "
LAST_COLUMN_MIN = 20  # characters: a narrower column is harder to read than a long line
ERASE = "\r\x1b[K"


class Screen:
    """Standard error unless another stream is given."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.is_terminal = self._stream.isatty()
        self._shows_status = False

    def line(self, words: str = "", colour: str = "") -> None:
        self.status("")
        painted = f"\x1b[{COLOURS[colour]}m{words}\x1b[0m" if colour and self.is_terminal else words
        print(painted, file=self._stream, flush=True)

    def status(self, words: str) -> None:
        """Replaced by the next status or line. Only on a terminal."""
        if not self.is_terminal or not (words or self._shows_status):
            return
        self._stream.write(ERASE + words[:_width() - 1])
        self._stream.flush()
        self._shows_status = bool(words)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
        for line in table(head, rows, right, _width() if self.is_terminal else None):
            self.line(line)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = (), width: int | None = None) -> list[str]:
    """Its lines. The columns in `right` are aligned to the right; the last one is wrapped where `width` is given."""
    cells = [[cell.split("\n") for cell in row] for row in ([head, *rows] if any(head) else rows)]
    widths = [max(len(line) for row in cells for line in row[column]) for column in range(len(head))]
    if width is not None:
        room = max(width - sum(widths[:-1]) - len(GAP) * len(widths[:-1]), LAST_COLUMN_MIN)
        for row in cells:
            row[-1] = [piece for line in row[-1] for piece in textwrap.wrap(line, room) or [""]]
    return [line for row in cells for line in _row(row, widths, right)]


def _row(row: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[int]) -> Iterator[str]:
    for number in range(max(map(len, row))):
        pieces = [cell[number] if number < len(cell) else "" for cell in row]
        aligned = (piece.rjust(wide) if column in right else piece.ljust(wide)
                   for column, (piece, wide) in enumerate(zip(pieces, widths, strict=True)))
        yield GAP.join(aligned).rstrip()


def _width() -> int:
    return shutil.get_terminal_size().columns
