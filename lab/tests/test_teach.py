"""The guided hour: what it says stays true whatever was measured, in eighty columns, and it can be continued."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from weir_lab.cli import commands, main, needs
from weir_lab.core import built
from weir_lab.course import teach
from weir_lab.course.teach import claims, lessons
from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.hour import Hour
from weir_lab.course.teach.lessons import LESSONS
from weir_lab.course.teach.outcome import Outcome, Series
from weir_lab.generators import GENERATORS
from weir_lab.servers.server_process import DidNotStart
from weir_lab.targets import find as find_target


class MadeUp(Bench):
    """Figures without a server: the nth variant of a lesson has n times the first one's."""

    def __init__(self) -> None:
        super().__init__(lambda _: None)
        self.asked = 0

    def rates(self, variants: dict[str, Variant], rounds: int | None = None) -> Outcome:  # type: ignore[override]
        return self.made(list(variants), "/s", 1000.0)

    def costs(self, variants: dict[str, Variant]) -> Outcome:  # type: ignore[override]
        return self.made(list(variants), "s", 5e-6)

    def figures(self, names: dict[str, Callable[[], float]], unit: str) -> Outcome:  # type: ignore[override]
        return self.made(list(names), unit, 2000.0 if unit == "B" else 0.5)

    def made(self, names: list[str], unit: str, first: float) -> Outcome:
        self.asked += 1
        return Outcome(
            [Series(name, unit, [first * (n + 1) * round for round in (1, 1.01, 0.99)]) for n, name in enumerate(names)]
        )


class Broken(MadeUp):
    def made(self, names: list[str], unit: str, first: float) -> Outcome:
        raise DidNotStart("no port is free")


def hour(folder: Path, answers: list[str], first: int = 1, bench: Bench | None = None, yes: bool = False) -> list[str]:
    """What was printed, questions included."""
    printed: list[str] = []

    def ask(question: str) -> str:
        printed.append(question)
        if not answers:
            raise EOFError
        return answers.pop(0)

    teach.run(first, yes, folder, printed.append, ask, bench or MadeUp())
    return printed


def series(name: str, *values: float, errors: int = 0) -> Series:
    return Series(name, "/s", list(values), errors)


# --- the hour ---------------------------------------------------------------------------------------------------


def test_six_experiments_in_eighty_columns(tmp_path: Path) -> None:
    printed = hour(tmp_path, [])
    assert len(LESSONS) == 6 and max(map(len, printed[:-1])) <= 80  # the last has a path
    text = "\n".join(printed)
    for number, lesson in enumerate(LESSONS, 1):
        assert f"{number} of 6: {lesson.title}" in text and lesson.link in text.replace("\n", "")
    assert text.count("You made no prediction.") == 6


def test_predictions_are_asked_for_and_judged(tmp_path: Path) -> None:
    printed = " ".join(hour(tmp_path, ["no idea", "500", "", "1,000"]))
    assert "'no idea' is not a number." in printed
    assert "You predicted 500 ms. blocking: 500 ms" in printed and "lies within the runs" in printed
    assert "You predicted 1,000/s. blocking, 50 clients: 2,000/s" in printed
    assert "below the mean by a factor of 2.00" in printed


def test_yes_asks_nothing(tmp_path: Path) -> None:
    assert not any(line.startswith("Enter") for line in hour(tmp_path, ["1"], yes=True))


def test_it_is_continued_at_an_experiment_and_leaves_a_page_of_all(tmp_path: Path) -> None:
    class Interrupted(MadeUp):
        def made(self, names: list[str], unit: str, first: float) -> Outcome:
            if self.asked == 2:
                raise KeyboardInterrupt
            return super().made(names, unit, first)

    with pytest.raises(KeyboardInterrupt):
        hour(tmp_path, ["500"], bench=Interrupted())
    kept = Hour.load(tmp_path)
    assert kept and [(one.number, one.prediction) for one in kept.done] == [(1, 0.5), (2, None)]
    hour(tmp_path, [], first=3)
    page = (tmp_path / "hour.html").read_text(encoding="utf-8")
    assert "<code>blocking</code>" in page and "`" not in page.partition("<body>")[2].partition("<script>")[0]
    assert "You predicted 500 ms" in page and all(f"{n}. {one.title}" in page for n, one in enumerate(LESSONS, 1))


def test_an_experiment_that_is_repeated_replaces_the_earlier_one(tmp_path: Path) -> None:
    hour(tmp_path, ["1"])
    hour(tmp_path, ["2"], first=6)
    kept = Hour.load(tmp_path)
    assert kept and [one.number for one in kept.done] == [1, 2, 3, 4, 5, 6] and kept.done[5].prediction == 2


def test_from_the_first_it_begins_anew(tmp_path: Path) -> None:
    hour(tmp_path, ["7"])
    hour(tmp_path, [])
    kept = Hour.load(tmp_path)
    assert kept and kept.done[0].prediction is None


def test_what_cannot_be_measured_is_said_and_the_hour_goes_on(tmp_path: Path) -> None:
    printed = " ".join(hour(tmp_path, [], bench=Broken()))
    assert printed.count("Nothing could be measured: no port is free") == 6


# --- sentences --------------------------------------------------------------------------------------------------

CLAIM = Claim("a", "more", "b", "it has more threads")


@pytest.mark.parametrize(
    ("a", "said"),
    [
        ((200, 201, 199), "That is what the design leads us to expect: it has more threads."),
        ((50, 51, 49), "expect otherwise"),
        ((100, 140, 70), "too few, or too different"),
    ],
)
def test_a_sentence_says_what_was_seen(a: tuple[float, ...], said: str) -> None:
    assert said in claims.judged(CLAIM, Outcome([series("a", *a), series("b", 100, 101, 99)]))


@pytest.mark.parametrize(
    ("a", "said"),
    [
        ((101, 100, 99), "That is what"),
        ((200, 201, 199), "expect otherwise"),
        ((100, 300, 30), "too few, or too different"),
    ],
)
def test_alike_needs_more_than_not_being_told_apart(a: tuple[float, ...], said: str) -> None:
    claim = Claim("a", "alike", "b", "they are one program")
    assert said in claims.judged(claim, Outcome([series("a", *a), series("b", 100, 101, 99)]))


def test_one_run_proves_nothing() -> None:
    assert "too few runs" in claims.judged(CLAIM, Outcome([series("a", 2), series("b", 1)]))


def test_a_disturbed_machine_and_errors_are_told() -> None:
    said = claims.about_circumstances(Outcome([series("a", 1, errors=3), series("b", 1)], others=0.5))
    assert "50 % of a core" in said[0] and "3 errors at a" in said[1] and len(said) == 2
    assert claims.about_circumstances(Outcome([series("a", 1)], others=0.1)) == []


# --- with the programs ------------------------------------------------------------------------------------------


def test_each_claim_and_prediction_names_what_is_measured() -> None:
    for lesson in LESSONS:
        outcome = lesson.measure(MadeUp())
        for name in (lesson.predicted, *(name for one in lesson.claims for name in (one.a, one.b))):
            assert outcome.of(name)


def test_the_course_has_a_chapter_for_each_experiment() -> None:
    text = (built.REPOSITORY / "docs" / "course.md").read_text(encoding="utf-8")
    chapters = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert [one for one in chapters if one[0].isdigit()] == [lesson.chapter for lesson in LESSONS]
    for lesson in LESSONS:
        assert lesson.exercise in " ".join(text.split()), lesson.title


def test_it_needs_neither_rust_nor_python_packages() -> None:
    assert set(needs.of_teach()) <= {"weir", "wrk"}
    listed = CliRunner().invoke(main.app, ["teach"], obj=True)
    assert listed.stdout.split()[0] == "weir"


def test_the_command_knows_its_experiments() -> None:
    with pytest.raises(commands.Failed, match="there are 6"):
        commands.teach_hour(7, True, Path())


@pytest.fixture
def bench() -> Bench:
    if missing := find_target("weir/epoll-edge").missing() or GENERATORS["wrk"].missing():
        pytest.skip(missing)
    return Bench(lambda _: None, seconds=1.0, rounds=1)


@pytest.mark.live
def test_a_slow_client_is_waited_for(bench: Bench) -> None:
    with bench.serving(Variant("blocking")) as server:
        assert lessons.wait_beside_slow_clients(server) > 0.2 * lessons.SLOW_CLIENTS


@pytest.mark.live
def test_a_run_has_a_rate_and_a_cost(bench: Bench) -> None:
    found = bench.load(Variant("epoll-edge", connections=2))
    assert found.rate > 0 and found.errors == 0 and 0 <= found.cpu_per_request < 1


@pytest.mark.live
@pytest.mark.parametrize("number", [3, 5])
def test_a_lesson_measures_its_variants(bench: Bench, number: int) -> None:
    outcome = LESSONS[number - 1].measure(bench)
    assert all(value > 0 for one in outcome.series for value in one.values) and outcome.others >= 0
