"""lab/echoes, the lab's own client of echo servers: WebSocket, in closed loop, with one message under way on each
connection. It compares every echo with its message, byte for byte.

It writes its frames itself. About 0.2 us of its time for a message is its own code; the rest is the kernel's, for one
`read` and one `write` over loopback, which every server needs as well. So no client could take much less than the best
servers, and a run may be limited by it: then the server's CPU counts, and the rate is a bound."""

from __future__ import annotations

from weir_lab.core.built import native
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.counted import nonzero
from weir_lab.generators.generator import CannotLoad, reject_fields
from weir_lab.generators.program import first_line, json_line, missing_crate, path_of

PROGRAM = native("echoes/release/echoes")
BUILD = "CARGO_TARGET_DIR=build/lab/echoes cargo build --release --locked --manifest-path lab/echoes/Cargo.toml"


class Echoes:
    name = "echoes"
    start_up_seconds = 0.0

    def needs(self) -> tuple[str, ...]:
        return ("echoes",)

    def missing(self) -> str | None:
        return missing_crate("echoes", PROGRAM, BUILD)

    def version(self) -> str:
        return first_line(path_of("echoes", PROGRAM), "--version")

    def command(self, plan: LoadPlan) -> list[str]:
        _reject(plan)
        return [
            path_of("echoes", PROGRAM),
            "--connections",
            str(plan.connections),
            "--threads",
            str(min(plan.threads, plan.connections)),
            "--duration",
            f"{plan.seconds:g}",
            "--timeout",
            f"{plan.timeout_seconds:g}",
            "--bytes",
            str(plan.body_bytes),
            plan.url,
        ]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        said = json_line("echoes", output)
        return Load(
            requests=said["messages"],
            seconds=said["seconds"],
            bytes_received=said["messages"] * said["message_bytes"],
            bytes_are_bodies=True,
            latency=Latency(**said["latency_seconds"]) if said["latency_seconds"] else Latency(),
            errors=nonzero(said["errors"]),
            connections=said["connections_opened"],
        )


def _reject(plan: LoadPlan) -> None:
    reject_fields("echoes", plan)
    if not plan.is_echo:
        raise CannotLoad("echoes sends messages over WebSocket, and no requests")
    if plan.rate is not None:
        raise CannotLoad("echoes has no open loop")
    if plan.seconds is None:
        raise CannotLoad("echoes runs for a time, not for a number of messages")
