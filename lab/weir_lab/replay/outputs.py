"""Reads the output of the seeds' own command lines, without adding an option to them."""

import re

from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.ab import Ab
from weir_lab.generators.program import nonzero
from weir_lab.replay.seed import Tool

UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}
SIZES = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}


def parse(tool: Tool, output: str, plan: LoadPlan) -> Load:
    """Raises ValueError if the program's words are missing."""
    return {"ab": Ab().parse, "wrk": _wrk, "rps": _rps}[tool](output, plan)


def _wrk(output: str, plan: LoadPlan) -> Load:
    """wrk's requests include answers that came too late or with the status of an error. Ours do not."""
    if "unable to connect" in output:
        return Load(0, 0.0, errors={"connect": plan.connections})
    total = re.search(r"^\s*(\d+) requests in ([\d.]+)(\w+), ([\d.]+)([KMG]?B) read", output, re.MULTILINE)
    if not total:
        raise ValueError("wrk did not say how many requests")
    kinds = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", output)
    errors = dict(zip(("connect", "read", "write", "timeout"), map(int, kinds.groups()), strict=True)) if kinds else {}
    if other := re.search(r"Non-2xx or 3xx responses: (\d+)", output):
        errors["status"] = int(other[1])
    lost = errors.get("status", 0) + errors.get("timeout", 0)
    received = int(float(total[4]) * SIZES[total[5]])
    return Load(
        max(int(total[1]) - lost, 0),
        float(total[2]) * UNITS[total[3]],
        received,
        latency=_wrk_latency(output),
        errors=nonzero(errors),
    )


def _wrk_latency(output: str) -> Latency:
    found = re.search(r"Latency\s+([\d.]+)(us|ms|s|m)\s+[\d.]+\w+\s+([\d.]+)(us|ms|s|m)", output)
    return (
        Latency(mean=float(found[1]) * UNITS[found[2]], max=float(found[3]) * UNITS[found[4]]) if found else Latency()
    )


def _rps(output: str, _: LoadPlan) -> Load:
    total = re.search(r"^(\d+) answered in ([\d.]+) s, (\d+) bytes of content", output, re.MULTILINE)
    if not total:
        raise ValueError("rps did not say how many were answered")
    last = re.search(r"^errors: (.*)$", output, re.MULTILINE)
    errors = {kind: int(count) for count, kind in re.findall(r"(\d+) (\w+)", last[1] if last else "")}
    figures = {
        name: float(value) / 1e3 for name, value in re.findall(r"\b(mean|p50|p90|p99|p999|max) ([\d.]+)", output)
    }
    return Load(
        int(total[1]), float(total[2]), int(total[3]), bytes_are_bodies=True, latency=Latency(**figures), errors=errors
    )
