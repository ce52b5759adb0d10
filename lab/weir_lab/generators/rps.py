"""The project's own client, lab/rps: open and closed loop. It checks the length of every answer. It has no pipelining,
because reqwest has none."""

from weir_lab.core.built import native
from weir_lab.core.load import Load, LoadPlan
from weir_lab.generators.generator import BuiltClient, built_crate, load_of
from weir_lab.generators.program import json_line

PROGRAM = native("rps/release/rps")


class Rps(BuiltClient):
    name, program, how_to_build = "rps", PROGRAM, built_crate("rps")
    sends_methods = True
    no_open_loop = None
    no_pipelining = "has no pipelining: reqwest waits for each answer"

    def command(self, plan: LoadPlan) -> list[str]:
        self.reject(plan)
        options = ["--json", "--connections", str(plan.connections), "--timeout", f"{plan.timeout_seconds:g}"]
        if plan.seconds is not None:
            options += ["--duration", f"{plan.seconds:g}"]
        if plan.rate is not None:
            options += ["--rate", f"{plan.rate:g}"]
        if plan.body_bytes is not None:
            options += ["--expect-bytes", str(plan.body_bytes)]
        if not plan.keep_alive:
            options.append("--close")
        if plan.method != "GET":
            options += ["--method", plan.method, "--send-bytes", str(plan.request_bytes)]
        counts = [str(min(plan.threads, plan.connections)), str(plan.requests or 0)]
        return [self.path(), *options, *counts, plan.url]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        said = json_line("rps", output)
        return load_of(said, connections=min(said["connections_opened"], plan.connections) if plan.keep_alive else None)
