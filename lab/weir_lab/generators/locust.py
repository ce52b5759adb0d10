"""Locust, headless, with users who ask for one page (lab/locust/one_page.py). It is slow, because it is Python; its
strength is many hosts.

Its percentiles are whole milliseconds, and unknown below one. The mean and the maximum are exact."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from urllib.parse import urlsplit

from weir_lab.core.built import REPOSITORY
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.counted import nonzero, whole_seconds
from weir_lab.generators.generator import (
    CannotLoad,
    reject_fields,
    reject_messages,
    reject_other_methods,
    reject_secure,
)
from weir_lab.generators.program import first_line

FILE = REPOSITORY / "lab" / "locust" / "one_page.py"


class Locust:
    name = "locust"
    start_up_seconds = 0.5

    def needs(self) -> tuple[str, ...]:
        return ("locust",)

    def missing(self) -> str | None:
        found = importlib.util.find_spec("locust")
        if found and found.origin:  # a mere folder of that name has no origin
            return None
        return "locust is not installed: ./run lab installs it for an experiment that uses it"

    def version(self) -> str:
        return first_line(sys.executable, "-m", "locust", "--version").partition(" from ")[0]

    def command(self, plan: LoadPlan) -> list[str]:
        _reject(plan)
        seconds, url = whole_seconds(plan.seconds or 0.0), urlsplit(plan.url)
        users = str(plan.connections)
        options = [] if plan.keep_alive else ["--close"]
        if plan.body_bytes is not None:
            options += ["--expect-bytes", str(plan.body_bytes)]
        if plan.threads > 1:  # one process for each core, and one that sums up
            options += ["--processes", str(min(plan.threads, plan.connections)), "--master-bind-host", "127.0.0.1"]
        return [
            sys.executable,
            "-m",
            "locust",
            "-f",
            str(FILE),
            "--headless",
            "--only-summary",
            "--loglevel",
            "WARNING",
            "--exit-code-on-error",
            "0",
            "--users",
            users,
            "--spawn-rate",
            users,
            "--run-time",
            f"{seconds}s",
            "--host",
            f"{url.scheme}://{url.netloc}",
            "--path",
            url.path or "/",
            "--answer-timeout",
            f"{plan.timeout_seconds:g}",
            *options,
        ]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        line = re.search(r"^weir-lab (\{.*\})$", output, re.MULTILINE)
        if not line:
            raise ValueError("the line of one_page.py is not there")
        said = json.loads(line[1])
        return Load(
            requests=said["requests"],
            seconds=said["seconds"],
            bytes_received=said["body_bytes"],
            bytes_are_bodies=True,
            latency=Latency(**said["latency_seconds"]),
            errors=nonzero(said["errors"]),
        )


def _reject(plan: LoadPlan) -> None:
    reject_messages("locust", plan)
    reject_fields("locust", plan)
    reject_other_methods("locust", plan)
    reject_secure("locust", plan)
    if plan.rate is not None:
        raise CannotLoad("locust has no open loop here: its users wait for their answers")
    if plan.pipeline > 1:
        raise CannotLoad("locust has no pipelining")
    if plan.seconds is None:
        raise CannotLoad("locust runs for a time, not for a number of requests")
