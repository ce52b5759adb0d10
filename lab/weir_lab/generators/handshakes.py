"""lab/handshakes, the lab's own client of handshakes: rustls, a connection with one request for each. It checks status
and length of every answer, and says how many handshakes were resumed.

Why not `openssl s_time`: it has one connection at a time, does not look at the answer, and OpenSSL's client costs more
than its server does: with ECDSA the client has to verify, which costs more than to sign. This client takes less CPU
than a server on OpenSSL, and more than one on rustls. There the run is limited: the server's CPU counts, and the rate
is a bound."""

from weir_lab.core.built import native
from weir_lab.core.load import Load, LoadPlan
from weir_lab.core.tls import CIPHER, VERSION
from weir_lab.generators.generator import BuiltClient, built_crate, load_of
from weir_lab.generators.program import json_line


class Handshakes(BuiltClient):
    name, program, how_to_build = "handshakes", native("handshakes/release/handshakes"), built_crate("handshakes")
    is_secure = True
    no_number = "runs for a time, not for a number of requests"

    only_for = "is for HTTP/1.1 over TLS, with a connection for each request"

    def is_for(self, plan: LoadPlan) -> bool:
        return plan.tls and not plan.http2 and not plan.keep_alive

    def command(self, plan: LoadPlan) -> list[str]:
        self.reject(plan)
        counts = ["--connections", str(plan.connections), "--threads", str(min(plan.threads, plan.connections))]
        times = ["--duration", f"{plan.seconds:g}", "--timeout", f"{plan.timeout_seconds:g}"]
        expected = [] if plan.body_bytes is None else ["--expect-bytes", str(plan.body_bytes)]
        chain = str(plan.certificate.chain if plan.certificate else "")
        resumes = ["--resume", "yes" if plan.resumes else "no", "--certificate", chain]
        return [self.path(), *counts, *times, *expected, *resumes, plan.url]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        said = json_line("handshakes", output)
        # It speaks nothing else.
        return load_of(said, negotiated=f"{VERSION} {CIPHER} http/1.1", resumed=said["resumed"])
