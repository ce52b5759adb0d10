"""A guided hour for a class: six experiments, each with a question, a prediction, a measurement and an explanation. It
needs weir and wrk alone."""

from __future__ import annotations

import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path

from weir_lab.core.result import now
from weir_lab.course.teach.bench import Bench
from weir_lab.course.teach.hour import TITLE, Done, Hour
from weir_lab.course.teach.lesson import COURSE, Lesson
from weir_lab.course.teach.lessons import LESSONS
from weir_lab.course.teach.outcome import Outcome
from weir_lab.generators.generator import CannotLoad
from weir_lab.running import machine, provenance
from weir_lab.servers.server_process import DidNotStart
from weir_lab.statistics import words

COLUMNS = 78

Print = Callable[[str], None]
Ask = Callable[[str], str]  # as input() does; raises EOFError if nobody can answer


def run(first: int, yes: bool, folder: Path, show: Print = print, ask: Ask = input, bench: Bench | None = None) -> None:
    """From that lesson to the last. Saves after each, so that it can be continued. `yes`: asks nothing."""
    machine.raise_descriptor_limit()
    hour = (Hour.load(folder) if first > 1 else None) or _begin()
    screen = Screen(show, None if yes else ask)
    screen.heading(TITLE)
    screen.paragraph(
        f"{words.count(len(LESSONS), 'experiment')}, each with a question, your prediction, a measurement of less "
        f"than a minute and an explanation. {COURSE} has the exercises and their answers. Ctrl-C stops; `./run lab "
        "teach NUMBER` continues at that experiment. `./run lab teach --live` shows two engines at work, side by side "
        "in a browser."
    )
    bench = bench or Bench(lambda words: show(f"    {words}"))
    for number in range(first, len(LESSONS) + 1):
        _teach(number, hour, folder, screen, bench)
        if number < len(LESSONS):
            screen.answer("Enter goes on to the next experiment: ")
    show(f"The hour is in {folder / 'hour.html'}")


def _begin() -> Hour:
    found, build = machine.describe(1000), provenance.of_weir()
    cores = words.count(len(found.cores), "core")
    return Hour(
        now(),
        f"{found.processor} ({cores}), Linux {found.kernel.partition('-')[0]}",
        build.words() if build else "a weir that is not named",
    )


def _teach(number: int, hour: Hour, folder: Path, screen: Screen, bench: Bench) -> None:
    lesson = LESSONS[number - 1]
    screen.heading(f"{number} of {len(LESSONS)}: {lesson.title}")
    screen.paragraph(lesson.question)
    prediction = screen.number(f"{lesson.ask} (Enter: no prediction): ")
    outcome = _measured(lesson, bench)
    for one in outcome.series:
        screen.paragraph(f"{one.name}: {one.said()}", "    ")
    done = Done(number, None if prediction is None else prediction * lesson.factor, outcome)
    for paragraph in lesson.explained(outcome, done.prediction):
        screen.paragraph(paragraph)
    screen.paragraph(f"Exercise: {lesson.exercise} ({lesson.link})")
    hour.add(done)
    hour.save(folder)


def _measured(lesson: Lesson, bench: Bench) -> Outcome:
    try:
        return lesson.measure(bench)
    except (DidNotStart, CannotLoad, ValueError, OSError, subprocess.SubprocessError) as error:
        return Outcome(failed=str(error))


class Screen:
    """Eighty columns, and questions that nobody need answer. Without `ask` there are none."""

    def __init__(self, show: Print, ask: Ask | None) -> None:
        self._show, self._ask = show, ask

    def heading(self, words: str) -> None:
        lines = textwrap.wrap(words, COLUMNS)
        for line in ("", *lines, "=" * max(map(len, lines)), ""):
            self._show(line)

    def paragraph(self, words: str, indent: str = "") -> None:
        for line in textwrap.wrap(words, COLUMNS, initial_indent=indent, subsequent_indent=indent):
            self._show(line)
        if not indent:
            self._show("")

    def answer(self, question: str) -> str:
        """Empty if nobody can answer."""
        if not self._ask:
            return ""
        *above, last = textwrap.wrap(question, COLUMNS)
        for line in above:
            self._show(line)
        try:
            return self._ask(f"{last} ").strip()
        except EOFError:
            return ""

    def number(self, question: str) -> float | None:
        """Asks again until it is a number or nothing."""
        while said := self.answer(question):
            try:
                return float(said.replace(",", "").replace(" ", ""))
            except ValueError:
                self._show(f"'{said}' is not a number.")
        return None
