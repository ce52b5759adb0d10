"""One experiment of the guided hour: a question, a prediction, a measurement, an explanation, an exercise."""

from collections.abc import Callable
from dataclasses import dataclass

from weir_lab.course.teach import claims
from weir_lab.course.teach.bench import Bench
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.outcome import Outcome

COURSE = "docs/course.md"


@dataclass(frozen=True)
class Lesson:
    title: str
    question: str
    ask: str  # for a number: "Requests per second of ..., with 50 clients"
    predicted: str  # the series that the prediction is about
    factor: float  # from the asked unit to that of the series: 1e-3 for milliseconds
    measure: Callable[[Bench], Outcome]
    claims: tuple[Claim, ...]
    theory: str  # true whatever was measured
    exercise: str
    chapter: str  # of docs/course.md

    def explained(self, outcome: Outcome, prediction: float | None) -> list[str]:
        """Paragraphs."""
        if outcome.failed:
            return [f"Nothing could be measured: {outcome.failed}", self.theory]
        return [
            claims.about_prediction(prediction, outcome.of(self.predicted)),
            *(claims.judged(one, outcome) for one in self.claims),
            *claims.about_circumstances(outcome),
            self.theory,
        ]

    @property
    def link(self) -> str:
        """As GitHub makes anchors of headings."""
        anchor = "".join(letter for letter in self.chapter.lower() if letter.isalnum() or letter in " -")
        return f"{COURSE}#{anchor.replace(' ', '-')}"
