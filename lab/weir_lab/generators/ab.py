"""ab (ApacheBench), which the seeds' figures were measured with. It speaks HTTP/1.0 and has one thread.

It runs without -r, so that it ends at the first connection that is reset: a run with errors counts for nothing anyway.
Its table of percentiles has whole milliseconds. The table of -e has three more digits; ab writes it into the rest of
the output, which works if the output is a pipe. ab computes its mean from the rate, so the lab ignores it."""

import re

from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.generator import CannotLoad, PackagedClient
from weir_lab.generators.program import first_line, nonzero, path_of, whole_seconds

CONNECTIONS_MAX = 20_000  # MAX_CONCURRENCY in ab.c
RATE_MAX = 500_000  # -t stops at 50,000 requests unless -n says more; ab keeps 32 bytes for each
KEPT_AT_LEAST = 0.9  # servers close a connection after a thousand requests or so

APR_TIMEUP = 70007
ECONNREFUSED = 111
EADDRNOTAVAIL = 99


class Ab(PackagedClient):
    name, package = "ab", "apache2-utils"
    asks_in = "1.0"  # HTTP/1.0: answers that keep the connection say so, in a longer head
    no_open_loop = "has no open loop: it sends as soon as it is answered"

    def version(self) -> str:
        return first_line(path_of("ab"), "-V").removeprefix("This is ").removesuffix(" <$Revision$>")

    def command(self, plan: LoadPlan) -> list[str]:
        self.reject(plan)
        if plan.connections > CONNECTIONS_MAX:
            raise CannotLoad(f"ab has {CONNECTIONS_MAX:,} connections at the most")
        if plan.requests is not None and plan.requests < plan.connections:
            raise CannotLoad("ab wants a request for each connection, at least")
        if plan.seconds is not None:
            seconds = whole_seconds(plan.seconds)
            amount = ["-t", str(seconds), "-n", str(plan.requests or seconds * RATE_MAX)]
        else:
            amount = ["-n", str(plan.requests)]
        keep = ["-k"] if plan.keep_alive else []
        patience = ["-s", str(whole_seconds(plan.timeout_seconds))]
        counts = ["-c", str(plan.connections), *amount]
        return [path_of("ab"), "-q", *keep, *counts, *patience, "-e", "/dev/stdout", plan.url]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        if fatal := re.search(r"(apr_\w+|connect|test failed)[^:\n]*: .*\((\d+)\)", output):
            return _broken_off(output, fatal[1], int(fatal[2]))
        complete = _whole(output, "Complete requests")
        errors = _errors(output, plan, complete)
        if plan.keep_alive and not errors:
            _reject_unkept(complete, _whole(output, "Keep-Alive requests"))
        return Load(
            requests=max(0, complete - sum(errors.values())),
            seconds=float(_field(output, "Time taken for tests", r"([\d.]+) seconds")),
            bytes_received=_whole(output, "HTML transferred"),
            bytes_are_bodies=True,
            latency=_latency(output),
            errors=errors,
        )


def _broken_off(output: str, call: str, code: int) -> Load:
    """ab gave up. It then says neither how long it ran nor how much it read."""
    done = re.search(r"Total of (\d+) requests completed", output)
    if code == APR_TIMEUP:
        kind = "timeout"
    else:
        kind = "connect" if "connect" in call or code in (ECONNREFUSED, EADDRNOTAVAIL) else "read"
    return Load(requests=int(done[1]) if done else 0, seconds=0.0, errors={kind: 1})


def _errors(output: str, plan: LoadPlan, complete: int) -> dict[str, int]:
    """ab counts an answer as failed if its length differs from the first one. It cannot know whether the first was
    right."""
    kinds = re.search(r"\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)", output)
    connect, receive, length, exceptions = (int(one) for one in kinds.groups()) if kinds else (0, 0, 0, 0)
    other = re.search(r"Non-2xx responses:\s+(\d+)", output)
    status = int(other[1]) if other else 0
    if status == 0 and plan.body_bytes is not None and _whole(output, "Document Length") != plan.body_bytes:
        length = complete - length
    return nonzero({"connect": connect, "read": receive + exceptions, "status": status, "body": length})


def _reject_unkept(complete: int, kept: int) -> None:
    if kept < complete * KEPT_AT_LEAST:
        raise ValueError(f"the server kept {kept:,} connections of {complete:,} that ab asked it to keep, in HTTP/1.0")


def _latency(output: str) -> Latency:
    """Reads the lines of -e: the part of the requests in percent, and milliseconds."""
    found = {
        int(part): round(float(milliseconds) / 1e3, 6)
        for part, milliseconds in re.findall(r"^(\d+),([\d.]+)$", output, re.MULTILINE)
    }
    return Latency(p50=found.get(50), p90=found.get(90), p99=found.get(99), max=found.get(100))


def _whole(output: str, name: str) -> int:
    return int(_field(output, name, r"(\d+)"))


def _field(output: str, name: str, pattern: str) -> str:
    found = re.search(rf"^{name}:\s+{pattern}", output, re.MULTILINE)
    if not found:
        raise ValueError(f"ab did not say '{name}'")
    return found[1]
