"""A committed replay as a table in Markdown. `./run lab replay SEED --publish` leaves what is to be committed."""

from pathlib import Path

from weir_lab.core import built
from weir_lab.core.result import Result, Run
from weir_lab.replay import published
from weir_lab.replay.page import find
from weir_lab.replay.seed import Row, Seed
from weir_lab.report.figures import short

FOLDER = built.REPOSITORY / "docs" / "results" / "replays"


def folder_of(seed: str) -> Path:
    return FOLDER / seed


def lines(seed: Seed) -> list[str]:
    """Says so if the replay is not committed yet."""
    path = folder_of(seed.name) / "result.json"
    if not path.exists():
        return [f"Not committed yet: `./run lab replay {seed.name} --publish` writes it."]
    result = Result.load(path)
    played = (
        f"Played {result.started[:10]} with {result.weir.words() if result.weir else 'a weir that is not named'}, on "
        f"{result.machine.processor}, {len(result.machine.cores)} cores "
        f"([result.json]({seed.name}/result.json))."
    )
    return [
        played,
        "",
        "| row | theirs | ours | ours / theirs |",
        "|---|---|---|---|",
        *(_line(row, find(result, row)) for row in seed.rows),
    ]


def _line(row: Row, run: Run | None) -> str:
    theirs = _with(published.said(row.published), published.refusal(row), "would be refused here")
    ours = _with(published.ours(row, run), "; ".join(run.refused) if run else "", "refused")
    what = f"{row.what}; {row.connections:,} at once (`{short(row.target)}`)"
    return f"| {' | '.join(cell.replace('|', '/') for cell in (what, theirs, ours, published.ratio(row, run)))} |"


def _with(figure: str, reasons: str, how: str) -> str:
    return f"{figure} (**{how}**: {reasons})" if reasons else figure
