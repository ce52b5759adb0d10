"""[[scenario]]: work of one's own."""

from __future__ import annotations

from typing import Any

from weir_lab.own.table import Table
from weir_lab.scenario import KIB, Scenario

MEMBERS = (
    "name",
    "summary",
    "method",
    "path",
    "body_bytes",
    "request_bytes",
    "keep_alive",
    "pipeline",
    "handler",
    "handler_ms",
    "connections",
    "rates",
    "idle_connections",
    "slow_readers",
    "slow_senders",
    "tls",
    "http2",
)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")  # an answer to HEAD has no content that could be checked
HANDLERS: tuple[Any, ...] = ("none", "sleep", "spin", "timer")
NOT_YET = {"tls": "TLS", "http2": "HTTP/2"}


def parse(name: str, table: Table) -> Scenario:
    table.allow_only(MEMBERS)
    _reject_what_is_not_there_yet(table)
    body_bytes = table.whole("body_bytes", KIB)
    scenario = Scenario(
        name=name,
        summary=table.text("summary", ""),
        body_bytes=body_bytes,
        keep_alive=table.flag("keep_alive", True),
        pipeline=table.whole("pipeline", 1, 1),
        handler=_handler(table),
        handler_seconds=table.number("handler_ms", 0.0) / 1e3,
        idle_connections=table.whole("idle_connections", 0),
        slow_readers=table.whole("slow_readers", 0),
        slow_senders=table.whole("slow_senders", 0),
        method=table.choice("method", METHODS),
        request_bytes=table.whole("request_bytes", 0),
        asks_for=_path(table),
        own_connections=table.wholes("connections"),
        own_rates=table.rates("rates"),
    )
    _reject_contradictions(table, scenario)
    return scenario if scenario.summary else _with_summary(scenario)


def _reject_what_is_not_there_yet(table: Table) -> None:
    for member, words in NOT_YET.items():
        if table.flag(member, False):
            raise table.wrong(f"{member}: the lab does not speak {words} yet; allowed is {member} = false, or nothing")


def _handler(table: Table) -> Any:
    handler = table.choice("handler", HANDLERS)
    if (handler == "none") != (table.number("handler_ms", 0.0) == 0.0):
        raise table.wrong(
            'handler and handler_ms belong together, as in handler = "sleep" and handler_ms = 2; '
            f"allowed handlers are {', '.join(HANDLERS[1:])}"
        )
    return handler


def _path(table: Table) -> str:
    path = table.text("path", "")
    if path and (not path.startswith("/") or any(part in ("..", ".") for part in path.split("/")) or " " in path):
        raise table.wrong(f'path is that of a URL, as in path = "/hello"; it is {path!r}')
    return path


def _reject_contradictions(table: Table, scenario: Scenario) -> None:
    if scenario.pipeline > 1 and not scenario.keep_alive:
        raise table.wrong("pipeline wants keep_alive = true: several requests need the same connection")
    if scenario.request_bytes and scenario.method == "GET":
        raise table.wrong("request_bytes wants a method with content; allowed are POST, PUT, PATCH, DELETE")


def _with_summary(scenario: Scenario) -> Scenario:
    sends = f" with {scenario.request_bytes:,} bytes" if scenario.request_bytes else ""
    words = [f"{scenario.method} {scenario.path}{sends}, {scenario.body_bytes:,} bytes come back"]
    if not scenario.keep_alive:
        words.append("a connection for each request")
    if scenario.pipeline > 1:
        words.append(f"{scenario.pipeline} requests at a time on each connection")
    if scenario.handler != "none":
        words.append(f"a handler ({scenario.handler}) of {scenario.handler_seconds * 1e3:g} ms")
    return Scenario(**(vars(scenario) | {"summary": ", ".join(words)}))
