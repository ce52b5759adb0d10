"""Users who ask for one page, one time after the other, without a pause: Locust as a load generator of the lab.

At its end it prints one line of JSON, and counts errors by kind: connect, read, write, timeout, status, body.
"""

from __future__ import annotations

import json
import socket
from argparse import ArgumentParser
from typing import Any

import kept_connections  # noqa: F401  (it mends Locust's pool; Locust looks for it beside this file)
from locust.runners import WorkerRunner

from locust import FastHttpUser, events, task

MILLISECONDS = 1e3


@events.init_command_line_parser.add_listener  # type: ignore[untyped-decorator]
def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--path", default="/", help="what to ask for")
    parser.add_argument(
        "--answer-timeout", type=float, default=10.0, help="seconds after which an answer counts as lost"
    )
    parser.add_argument(
        "--expect-bytes", type=int, default=-1, help="content of another length is an error; -1: of any length"
    )
    parser.add_argument("--close", action="store_true", help="a connection for each request")


class Asker(FastHttpUser):
    def __init__(self, environment: Any) -> None:
        self.connection_timeout = self.network_timeout = environment.parsed_options.answer_timeout
        super().__init__(environment)
        self.options = environment.parsed_options
        self.fields = {"Connection": "close"} if self.options.close else {}

    @task
    def ask(self) -> None:
        with self.client.get(
            self.options.path, headers=self.fields, catch_response=True, allow_redirects=False
        ) as answer:
            if kind := self.fault_of(answer):
                answer.failure(kind)
            else:
                answer.success()

    def fault_of(self, answer: Any) -> str | None:
        if answer.status_code == 0:
            return kind_of(answer.error)
        try:
            received = len(answer.content or b"")
        except Exception:  # of many classes: whatever it was, the content did not come
            return "body"
        if not 200 <= answer.status_code < 300:
            return "status"
        announced = int((answer.headers or {}).get("content-length", received))
        expected = self.options.expect_bytes if self.options.expect_bytes >= 0 else announced
        return None if received == announced == expected else "body"


def kind_of(error: BaseException) -> str:
    """Before a head has come."""
    if isinstance(error, (ConnectionRefusedError, socket.gaierror)):
        return "connect"
    if isinstance(error, (TimeoutError, socket.timeout)) or "timed out" in str(error):
        return "timeout"
    return "write" if isinstance(error, BrokenPipeError) else "read"


@events.quitting.add_listener  # type: ignore[untyped-decorator]
def report(environment: Any, **_: Any) -> None:
    """By whoever has the sums: the master, or the only process."""
    if isinstance(environment.runner, WorkerRunner):
        return
    total = environment.stats.total
    errors: dict[str, int] = {}
    for error in environment.stats.errors.values():
        kind = str(error.error)
        errors[kind] = errors.get(kind, 0) + error.occurrences
    print(
        "weir-lab "
        + json.dumps(
            {
                "requests": total.num_requests - total.num_failures,
                "seconds": (total.last_request_timestamp or total.start_time) - total.start_time,
                "body_bytes": total.total_content_length,
                "errors": errors,
                "latency_seconds": latency(total) if total.num_requests else {},
            }
        ),
        flush=True,
    )


def latency(total: Any) -> dict[str, float]:
    """Locust's classes are whole milliseconds: what it rounds to none, it doesn't know."""
    found = {"mean": total.avg_response_time, "max": total.max_response_time}
    for name, part in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999)):
        found[name] = total.get_response_time_percentile(part)
    return {name: milliseconds / MILLISECONDS for name, milliseconds in found.items() if milliseconds}
