"""Locust, headless, with users who ask for one page (lab/locust/one_page.py). It is slow, because it is Python; its
strength is many hosts.

Its percentiles are whole milliseconds, and unknown below one. The mean and the maximum are exact."""

import importlib.util
import json
import re
import sys
from urllib.parse import urlsplit

from weir_lab.core.built import REPOSITORY
from weir_lab.core.load import Load, LoadPlan
from weir_lab.generators.generator import Client, load_of
from weir_lab.generators.program import first_line, whole_seconds

FILE = REPOSITORY / "lab" / "locust" / "one_page.py"


class Locust(Client):
    name = "locust"
    start_up_seconds = 0.5
    no_open_loop = "has no open loop here: its users wait for their answers"
    no_number = "runs for a time, not for a number of requests"

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
        self.reject(plan)
        seconds, url = whole_seconds(plan.seconds or 0.0), urlsplit(plan.url)
        users = str(plan.connections)
        options = [] if plan.keep_alive else ["--close"]
        if plan.body_bytes is not None:
            options += ["--expect-bytes", str(plan.body_bytes)]
        if plan.threads > 1:  # one process for each core, and one that sums up
            options += ["--processes", str(min(plan.threads, plan.connections)), "--master-bind-host", "127.0.0.1"]
        fixed = "--headless --only-summary --loglevel WARNING --exit-code-on-error 0"
        counts = ["--users", users, "--spawn-rate", users, "--run-time", f"{seconds}s"]
        asked = ["--host", f"{url.scheme}://{url.netloc}", "--path", url.path or "/"]
        patience = ["--answer-timeout", f"{plan.timeout_seconds:g}"]
        locust = [sys.executable, "-m", "locust", "-f", str(FILE), *fixed.split()]
        return [*locust, *counts, *asked, *patience, *options]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        line = re.search(r"^weir-lab (\{.*\})$", output, re.MULTILINE)
        if not line:
            raise ValueError("the line of one_page.py is not there")
        return load_of(json.loads(line[1]))
