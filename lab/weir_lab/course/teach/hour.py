"""What has been done of the hour: a file that grows with each experiment, and a page made from it."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from weir_lab.core.stored import read_json, write_json
from weir_lab.course.teach.lessons import LESSONS
from weir_lab.course.teach.outcome import Outcome
from weir_lab.report import Section, tables, write_page

SCHEMA = 1
TITLE = "An hour with weir"


@dataclass(frozen=True)
class Done:
    number: int  # of the lesson, from 1
    prediction: float | None  # in the unit of its series
    outcome: Outcome


@dataclass
class Hour:
    started: str
    machine: str
    weir: str
    done: list[Done] = field(default_factory=list)
    schema: int = SCHEMA

    def add(self, one: Done) -> None:
        """A lesson that is repeated replaces what was there."""
        self.done = sorted(
            [*(other for other in self.done if other.number != one.number), one], key=lambda of: of.number
        )

    def save(self, folder: Path) -> Path:
        """Returns the page."""
        write_json(dataclasses.asdict(self), folder / "hour.json")
        page = folder / "hour.html"
        lead = f"Begun {self.started[:16].replace('T', ' ')} UTC on {self.machine}, with {self.weir}."
        write_page(TITLE, lead, [_section(one) for one in self.done], page)
        return page

    @staticmethod
    def load(folder: Path) -> Hour | None:
        """None if there is none that can be read."""
        try:
            found = read_json(Hour, folder / "hour.json", SCHEMA)
        except (OSError, ValueError):
            return None
        assert isinstance(found, Hour)
        return found


def _marked(text: str) -> str:
    """With what is between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _section(done: Done) -> Section:
    lesson = LESSONS[done.number - 1]
    paragraphs = "".join(f"<p>{_marked(one)}</p>" for one in lesson.explained(done.outcome, done.prediction))
    rows = "".join(tables.row(one.name, one.said(), numbers=(1,)) for one in done.outcome.series)
    table = f'<div class="scroll"><table><caption>Measured</caption><tbody>{rows}</tbody></table></div>' if rows else ""
    return Section(
        f"{done.number}. {lesson.title}",
        f"<p>{_marked(lesson.question)}</p>{table}{paragraphs}<p><strong>Exercise.</strong> {_marked(lesson.exercise)} "
        f"({escape(lesson.link)})</p>",
    )
