"""Judges a seed's published row by the rules of this lab, and compares it with ours."""

from weir_lab.core.load import Latency, Load
from weir_lab.core.result import Run, ServerUse
from weir_lab.replay.player import cell_of, scenario_of, to_be_judged
from weir_lab.replay.seed import Published, Row
from weir_lab.statistics import words
from weir_lab.verify import validity

SECONDS = 20.0  # any value will do, because the counts come from the rate


def refusal(row: Row) -> str:
    """Why their row would not count here. Empty if it would, or if it has no figure."""
    of = row.published
    if of.rate is None:
        return ""
    load = Load(int(of.rate * SECONDS), SECONDS, latency=Latency(mean=of.mean_seconds), errors=of.errors)
    run = Run(cell_of(row), 0, "", load, ServerUse(0.0, 0.0))
    around = validity.Circumstances(scenario_of(row), server_cores=1, generator_cores=1, head_bytes=0, ports=1)
    return "; ".join(validity.reasons(to_be_judged(run), around))


def said(of: Published) -> str:
    """Their figure with its errors."""
    if of.rate is None:
        return of.words
    mean = f", mean {words.seconds(of.mean_seconds)}" if of.mean_seconds else ""
    memory = f"; {_memory(of.memory_bytes)}" if of.memory_bytes else ""
    return f"{of.rate:,.0f}/s{mean}; {errors(of.errors)}{memory}{'; ' + of.words if of.words else ''}"


def ours(row: Row, run: Run | None) -> str:
    """Our figure with its errors, if the run could be made."""
    if run is None:
        return "not run yet"
    if run.load is None:
        return words.MISSING
    mean = f", mean {words.seconds(run.load.latency.mean)}" if run.load.latency.mean else ""
    count = run.server.established if row.keep_alive and run.server else None
    held = f"; {words.connections(count)} held" if count is not None else ""
    cpu = f"; {words.seconds(run.cpu_per_request)} of server CPU a request" if run.cpu_per_request else ""
    limited = f"; {run.limited}" if run.limited else ""
    resident = run.server.resident_bytes if row.published.memory_bytes and run.server else None
    memory = f"; {_memory(resident)}" if resident else ""
    return f"{run.load.rate:,.0f}/s{mean}; {errors(run.load.errors)}{held}{memory}{cpu}{limited}"


def ratio(row: Row, run: Run | None) -> str:
    """Only if both rows count."""
    if run is None or run.load is None or run.refused or row.published.rate is None or refusal(row):
        return words.MISSING
    rate = words.ratio(run.load.rate / row.published.rate)
    resident, theirs = run.server and run.server.resident_bytes, row.published.memory_bytes
    return f"{rate}; memory {words.ratio(resident / theirs)}" if resident and theirs else rate


def _memory(size: int) -> str:
    return f"{words.size(size)} of memory"


def errors(found: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {kind} errors" for kind, count in found.items() if count) or "no errors"
