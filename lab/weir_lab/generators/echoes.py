"""lab/echoes, the lab's own client of echo servers: WebSocket, in closed loop, with one message under way on each
connection. It compares every echo with its message, byte for byte.

It writes its frames itself. About 0.2 us of its time for a message is its own code; the rest is the kernel's, for one
`read` and one `write` over loopback, which every server needs as well. So no client could take much less than the best
servers, and a run may be limited by it: then the server's CPU counts, and the rate is a bound."""

from weir_lab.core.built import native
from weir_lab.core.load import Load, LoadPlan
from weir_lab.generators.generator import BuiltClient, built_crate, load_of
from weir_lab.generators.program import json_line


class Echoes(BuiltClient):
    name, program, how_to_build = "echoes", native("echoes/release/echoes"), built_crate("echoes")
    sends_messages = sends_methods = is_secure = True  # of requests, which it does not send
    no_pipelining = None
    no_number = "runs for a time, not for a number of messages"

    only_for = "sends messages over WebSocket, and no requests"

    def is_for(self, plan: LoadPlan) -> bool:
        return plan.is_echo

    def command(self, plan: LoadPlan) -> list[str]:
        self.reject(plan)
        counts = ["--connections", str(plan.connections), "--threads", str(min(plan.threads, plan.connections))]
        times = ["--duration", f"{plan.seconds:g}", "--timeout", f"{plan.timeout_seconds:g}"]
        return [self.path(), *counts, *times, "--bytes", str(plan.body_bytes), plan.url]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        said = json_line("echoes", output)
        received = said["messages"] * said["message_bytes"]
        return load_of(said, "messages", bytes_received=received, connections=said["connections_opened"])
