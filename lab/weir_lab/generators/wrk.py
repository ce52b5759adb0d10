"""wrk. Its peculiarities, and what the lab does about them:

- It counts requests that were answered with an error or too late. The parser subtracts them.
- It accepts any status below 400, so a redirect counts as answered.
- It drops requests under way when the time is up: an answer that never comes is not an error.
- It "corrects" its latencies by requests that it invents. wrk.lua takes them out again.
- Its clock starts when it writes a request, and a connection that waits for wrk itself counts as idle. If wrk is busy,
  fewer requests are under way than there are connections, and its latencies are too good. Little's law shows that.
- With pipelining, its latency is that of a batch, from sending the first request to the last answer."""

import json
import re
from pathlib import Path

from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.generator import PackagedClient
from weir_lab.generators.program import first_line, nonzero, path_of, whole_seconds

SCRIPT = Path(__file__).with_name("wrk.lua")


class Wrk(PackagedClient):
    name = package = "wrk"
    sends_methods = sends_fields = True
    no_open_loop = "has no open loop: it sends as soon as it is answered"
    no_pipelining = None
    no_number = "runs for a time, not for a number of requests"

    def version(self) -> str:
        return first_line(path_of("wrk"), "-v").partition(" Copyright")[0]

    def command(self, plan: LoadPlan) -> list[str]:
        self.reject(plan)
        assert plan.seconds is not None
        times = ["-d", f"{whole_seconds(plan.seconds)}s", "--timeout", f"{whole_seconds(plan.timeout_seconds)}s"]
        fields = ([] if plan.keep_alive else ["Connection: close"]) + [*plan.fields]
        script = ["-s", str(SCRIPT), plan.url, "--", str(plan.pipeline), str(plan.connections)]
        return [
            *(path_of("wrk"), "-t", str(_threads(plan)), "-c", str(plan.connections)),
            *(*times, *(word for field in fields for word in ("-H", field)), *script),
            *([plan.method, str(plan.request_bytes)] if plan.method != "GET" else []),
        ]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        if "unable to connect" in output:  # printed for the first connection, before the threads begin
            return Load(requests=0, seconds=0.0, errors={"connect": plan.connections})
        line = re.search(r"^weir-lab (\{.*\})$", output, re.MULTILINE)
        if not line:
            raise ValueError("the line of wrk.lua is not there")
        said = json.loads(line[1])
        errors = said["errors"]
        requests = said["requests"] - errors["status"] - errors["timeout"]
        return Load(
            requests=max(0, requests),
            seconds=said["seconds"],
            bytes_received=said["bytes"],
            latency=Latency(**said["latency"]) if said["requests"] else Latency(),
            errors=nonzero(errors),
        )


def _threads(plan: LoadPlan) -> int:
    """Gives each thread the same number of connections: wrk does not open the remainder of a division."""
    return next(count for count in range(min(plan.threads, plan.connections), 0, -1) if plan.connections % count == 0)
