"""Why two engines differ: `./run lab why A B`, or all neighbours in the story of docs/engines.md."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from weir_lab import report
from weir_lab.core.result import Result
from weir_lab.core.target import AGAIN
from weir_lab.course.why import callgrind, folded, page, recording
from weir_lab.course.why.callgrind import Instructions
from weir_lab.course.why.pairs import Pair, neighbours, source_of
from weir_lab.course.why.recording import Recording
from weir_lab.experiments import experiment as experiments
from weir_lab.running import runner

CONNECTIONS = (1, 100)
EXPERIMENT = """title = "Why: {title}"
rounds = {rounds}
seconds = 2.0
system_calls = true

[[matrix]]
targets = [{targets}]
scenarios = ["keep-alive"]
connections = [1, 100]
"""
ROUNDS = 5


def experiment_of(pairs: Sequence[Pair], rounds: int = ROUNDS) -> experiments.Experiment:
    engines = engines_of(pairs)
    title = f"{pairs[0].a} and {pairs[0].b}" if len(pairs) == 1 else "all neighbours"
    # The first one again: what the lab itself gets wrong.
    targets = ", ".join(f'"weir/{engine}"' for engine in (*engines, f"{engines[0]}{AGAIN}"))
    text = EXPERIMENT.format(title=title, rounds=rounds, targets=targets)
    return experiments.parse("why", tomllib.loads(text), text)


def engines_of(pairs: Sequence[Pair]) -> list[str]:
    return list(dict.fromkeys(engine for pair in pairs for engine in (pair.a, pair.b)))


def run(pairs: Sequence[Pair], with_callgrind: bool, folder: Path, observer: runner.Observer, screen: Console) -> Path:
    """Returns the page of the one pair, or the list of all pages. The folder gets result.json, report.html and the
    folded stacks as well."""
    experiment = experiment_of(pairs)
    result = runner.start(experiment)
    runner.run(experiment, result, folder / "result.json", observer)
    recordings, instructions = {}, {}
    for engine in engines_of(pairs):
        screen.print(f"{engine}: where its time goes")
        recordings[engine] = recording.record(engine, CONNECTIONS[-1])
        (folder / f"{engine}.folded").write_text(folded.write(recordings[engine].stacks), encoding="utf-8")
        if with_callgrind:
            screen.print(f"{engine}: its instructions, under valgrind")
            instructions[engine] = callgrind.count(engine)
    return write_pages(pairs, result, recordings, instructions, folder)


def write_pages(
    pairs: Sequence[Pair],
    result: Result,
    recordings: dict[str, Recording],
    instructions: dict[str, Instructions],
    folder: Path,
) -> Path:
    report.write(result, folder / "report.html")
    for pair in pairs:
        page.write(pair, result, CONNECTIONS, recordings, instructions, folder / pair.page_name)
    if len(pairs) == 1:
        return folder / pairs[0].page_name
    page.write_index(pairs, folder / "why.html")
    return folder / "why.html"


__all__ = ("Pair", "experiment_of", "neighbours", "run", "source_of", "write_pages")
