"""h2load over HTTP/1.1 and HTTP/2, with TLS and without. With -m its requests are pipelined; over HTTP/2, each has a
stream of its own. It prints the mean and the maximum, but no percentiles. It says what it negotiated, and does not look
at the server's certificate: the lab's own connections do.

If it runs for a time (-D), it neither counts a lost connection nor opens it again, and when the server closes
connections, it prints no figures at all. The parser then reports that nothing was answered. If only a few connections
were lost, the kernel's count and Little's law show it. With a number of requests (-n) it counts errors correctly.

Its --rps counts latency from the sending, so the lab does not use it as an open loop."""

import re

from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.core.tls import CIPHER, GROUP
from weir_lab.generators.generator import CannotLoad, PackagedClient
from weir_lab.generators.program import first_line, nonzero, path_of, whole_seconds

REQUESTS = (
    r"^requests: \d+ total, (\d+) started, (\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout"
)
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


class H2load(PackagedClient):
    name, package = "h2load", "nghttp2-client"
    is_secure = True
    no_open_loop = "has no open loop: its --rps leaves out the time that a request had to wait"
    no_pipelining = None

    def version(self) -> str:
        return first_line(path_of("h2load"), "--version")

    def command(self, plan: LoadPlan) -> list[str]:
        self.reject(plan)
        if not plan.keep_alive and plan.seconds is not None:
            raise CannotLoad("h2load prints no figures when it runs for a time and connections are closed")
        if plan.requests is not None and plan.requests < plan.connections:
            raise CannotLoad("h2load wants a request for each connection, at least")
        amount = ["-n", str(plan.requests)] if plan.seconds is None else ["-D", f"{round(plan.seconds * 1e3)}ms"]
        close = [] if plan.keep_alive else ["-H", "Connection: close"]
        # With one protocol to choose from, a server that lacks it can't choose another.
        protocol = ["--npn-list=h2", "--no-tls-proto=h2c"] if plan.http2 else ["--h1"]
        secure = [f"--tls13-ciphers={CIPHER}", f"--groups={GROUP}"] if plan.tls else []
        counts = ["-c", str(plan.connections), "-t", str(min(plan.threads, plan.connections))]
        at_once = ["-m", str(plan.pipeline), "-N", str(whole_seconds(plan.timeout_seconds))]
        return [path_of("h2load"), *protocol, *secure, *counts, *amount, *at_once, *close, plan.url]

    def parse(self, output: str, plan: LoadPlan) -> Load:
        finished = _numbers(output, r"^finished in ([\d.]+)(us|ms|s|m)\b")
        started, done, succeeded, failed, errored, late = map(int, _numbers(output, REQUESTS))
        redirected = int(_numbers(output, r"^status codes: \d+ 2xx, (\d+) 3xx")[0])
        broken = errored or _unsaid(plan, started, done)
        return Load(
            requests=succeeded - redirected,
            seconds=_seconds(finished[0], finished[1]),
            bytes_received=int(_numbers(output, r"\((\d+)\) data$")[0]),
            bytes_are_bodies=True,
            latency=_latency(output) if done else Latency(),
            negotiated=_negotiated(output),
            errors=nonzero(
                {
                    "connect" if started == 0 else "read": broken - late,
                    "timeout": late,
                    "status": failed - errored + redirected,
                }
            ),
        )


def _unsaid(plan: LoadPlan, started: int, done: int) -> int:
    """Nothing was answered, but -D reports no error."""
    return (started or plan.connections) if done == 0 else 0


def _negotiated(output: str) -> str:
    """h2load says so of its first connection. Empty if it had none."""
    lines = ("TLS Protocol", "Cipher", "Application protocol")
    found = (re.search(rf"^{line}: (\S+)", output, re.MULTILINE) for line in lines)
    return " ".join(one[1] for one in found if one)


def _latency(output: str) -> Latency:
    _, _, most, most_unit, mean, mean_unit = _numbers(output, r"^time for request:" + r"\s+([\d.]+)(us|ms|s|m)" * 3)
    return Latency(mean=_seconds(mean, mean_unit), max=_seconds(most, most_unit))


def _seconds(number: str, unit: str) -> float:
    return round(float(number) * UNITS[unit], 6)


def _numbers(output: str, pattern: str) -> tuple[str, ...]:
    found = re.search(pattern, output, re.MULTILINE)
    if not found:
        raise ValueError("h2load did not end with its figures")
    return found.groups()
