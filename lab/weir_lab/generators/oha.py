"""oha: open and closed loop on one runtime. It is built with the system's TLS library, which it never uses here:
without any TLS library 1.16.0 does not compile, and by default it builds one itself.

It counts every answer as a success, whatever the status, and only the words of its errors tell them apart. In an open
loop it leaves out requests that could not begin before the end: if the rate fell short, its latencies are too good."""

import json

from weir_lab.core.built import native
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.generator import BuiltClient, CannotLoad
from weir_lab.generators.program import nonzero

BUILD = (
    "apt-get install libssl-dev pkg-config && cargo install oha --version 1.16.0 --locked --no-default-features "
    "--features native-tls --root build/lab/oha"
)

KINDS = {  # looked for in the message, in this order
    "timeout": "timeout",
    "reading a body": "body",
    "refused": "connect",
    "os error 99": "connect",  # EADDRNOTAVAIL: no port is left
    "os error 24": "connect",  # EMFILE: no descriptor is left
    "Broken pipe": "write",
}
CONTENT_BYTES_MAX = 100_000  # the kernel allows 128 KiB for an argument
UNDER_WAY = "aborted due to deadline"  # neither an error nor an answer


class Oha(BuiltClient):
    name, program, how_to_build = "oha", native("oha/bin/oha"), BUILD
    sends_methods = True
    no_open_loop = None

    def command(self, plan: LoadPlan) -> list[str]:
        self.reject(plan)
        if plan.request_bytes > CONTENT_BYTES_MAX:
            raise CannotLoad(f"oha takes its content from the command line: {CONTENT_BYTES_MAX:,} bytes at the most")
        # -w: waits for the requests under way when the time is up, so that each one counts.
        amount = ["-n", str(plan.requests)] if plan.seconds is None else ["-z", f"{round(plan.seconds * 1e3)}ms", "-w"]
        rate = [] if plan.rate is None else ["-q", f"{plan.rate:g}", "--latency-correction"]
        method = [] if plan.method == "GET" else ["-m", plan.method, "-d", "x" * plan.request_bytes]
        close = [] if plan.keep_alive else ["--disable-keepalive"]
        counts = ["-c", str(plan.connections), "--worker-threads", str(plan.threads)]
        patience = ["-t", f"{round(plan.timeout_seconds * 1e3)}ms"]
        started = [self.path(), "--no-tui", "--output-format", "json", *counts, *amount, *rate, *patience]
        return [*started, *close, *method, "--disable-compression", plan.url]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        begin, end = output.find("{"), output.rfind("}")
        if begin < 0:
            raise ValueError("oha printed no JSON")
        said = json.loads(output[begin : end + 1])
        statuses = said["statusCodeDistribution"]
        good = sum(count for status, count in statuses.items() if status.startswith("2"))
        errors = _errors(said["errorDistribution"])
        errors["status"] = sum(statuses.values()) - good
        return Load(
            requests=good,
            seconds=said["summary"]["total"],
            bytes_received=said["summary"]["totalData"],
            bytes_are_bodies=True,
            latency=_latency(said),
            errors=nonzero(errors),
        )


def _errors(distribution: dict[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for words, count in distribution.items():
        if words != UNDER_WAY:
            kind = next((kind for part, kind in KINDS.items() if part in words), "read")
            found[kind] = found.get(kind, 0) + count
    return found


def _latency(said: dict[str, dict[str, float | None]]) -> Latency:
    """Null if nothing was answered."""
    summary, parts = said["summary"], said["latencyPercentiles"]
    return Latency(
        mean=summary["average"],
        p50=parts["p50"],
        p90=parts["p90"],
        p99=parts["p99"],
        p999=parts["p99.9"],
        max=summary["slowest"],
    )
