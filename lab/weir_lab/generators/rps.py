"""The project's own client, lab/rps: open and closed loop. It checks the length of every answer. It has no pipelining,
because reqwest has none."""

from __future__ import annotations

from weir_lab.core.built import native
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.counted import nonzero
from weir_lab.generators.generator import CannotLoad, reject_fields, reject_messages, reject_secure
from weir_lab.generators.program import first_line, json_line, missing_crate, path_of

PROGRAM = native("rps/release/rps")
BUILD = "CARGO_TARGET_DIR=build/lab/rps cargo build --release --locked --manifest-path lab/rps/Cargo.toml"


class Rps:
    name = "rps"
    start_up_seconds = 0.0

    def needs(self) -> tuple[str, ...]:
        return ("rps",)

    def missing(self) -> str | None:
        return missing_crate("rps", PROGRAM, BUILD)

    def version(self) -> str:
        return first_line(path_of("rps", PROGRAM), "--version")

    def command(self, plan: LoadPlan) -> list[str]:
        reject_messages("rps", plan)
        reject_fields("rps", plan)
        reject_secure("rps", plan)
        if plan.pipeline > 1:
            raise CannotLoad("rps has no pipelining: reqwest waits for each answer")
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
        return [
            path_of("rps", PROGRAM),
            *options,
            str(min(plan.threads, plan.connections)),
            str(plan.requests or 0),
            plan.url,
        ]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        said = json_line("rps", output)
        return Load(
            requests=said["requests"],
            seconds=said["seconds"],
            bytes_received=said["body_bytes"],
            bytes_are_bodies=True,
            latency=Latency(**said["latency_seconds"]) if said["latency_seconds"] else Latency(),
            errors=nonzero(said["errors"]),
            connections=min(said["connections_opened"], plan.connections) if plan.keep_alive else None,
        )
