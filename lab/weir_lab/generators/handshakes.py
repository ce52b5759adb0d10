"""lab/handshakes, the lab's own client of handshakes: rustls, a connection with one request for each. It checks status
and length of every answer, and says how many handshakes were resumed.

Why not `openssl s_time`: it has one connection at a time, does not look at the answer, and OpenSSL's client costs more
than its server does: with ECDSA the client has to verify, which costs more than to sign. This client takes less CPU
than a server on OpenSSL, and more than one on rustls. There the run is limited: the server's CPU counts, and the rate
is a bound."""

from __future__ import annotations

from weir_lab.core.built import native
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.core.tls import CIPHER, VERSION
from weir_lab.generators.counted import nonzero
from weir_lab.generators.generator import CannotLoad, reject_fields, reject_messages, reject_other_methods
from weir_lab.generators.program import first_line, json_line, missing_crate, path_of

PROGRAM = native("handshakes/release/handshakes")
BUILD = "CARGO_TARGET_DIR=build/lab/handshakes cargo build --release --locked --manifest-path lab/handshakes/Cargo.toml"


class Handshakes:
    name = "handshakes"
    start_up_seconds = 0.0

    def needs(self) -> tuple[str, ...]:
        return ("handshakes",)

    def missing(self) -> str | None:
        return missing_crate("handshakes", PROGRAM, BUILD)

    def version(self) -> str:
        return first_line(path_of("handshakes", PROGRAM), "--version")

    def command(self, plan: LoadPlan) -> list[str]:
        _reject(plan)
        expected = [] if plan.body_bytes is None else ["--expect-bytes", str(plan.body_bytes)]
        return [
            path_of("handshakes", PROGRAM),
            "--connections",
            str(plan.connections),
            "--threads",
            str(min(plan.threads, plan.connections)),
            "--duration",
            f"{plan.seconds:g}",
            "--timeout",
            f"{plan.timeout_seconds:g}",
            *expected,
            "--resume",
            "yes" if plan.resumes else "no",
            "--certificate",
            str(plan.certificate.chain if plan.certificate else ""),
            plan.url,
        ]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        said = json_line("handshakes", output)
        return Load(
            requests=said["requests"],
            seconds=said["seconds"],
            bytes_received=said["body_bytes"],
            bytes_are_bodies=True,
            latency=Latency(**said["latency_seconds"]) if said["latency_seconds"] else Latency(),
            errors=nonzero(said["errors"]),
            negotiated=f"{VERSION} {CIPHER} http/1.1",  # it speaks nothing else
            resumed=said["resumed"],
        )


def _reject(plan: LoadPlan) -> None:
    reject_messages("handshakes", plan)
    reject_fields("handshakes", plan)
    reject_other_methods("handshakes", plan)
    if not plan.tls or plan.http2 or plan.keep_alive:
        raise CannotLoad("handshakes is for HTTP/1.1 over TLS, with a connection for each request")
    if plan.rate is not None:
        raise CannotLoad("handshakes has no open loop")
    if plan.seconds is None:
        raise CannotLoad("handshakes runs for a time, not for a number of requests")
