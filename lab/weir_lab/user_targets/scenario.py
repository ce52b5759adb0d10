"""[[scenario]]: work of one's own."""

from __future__ import annotations

from typing import Any

from weir_lab.core.scenario import KIB, Scenario
from weir_lab.user_targets.table import Table

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
    "resumed",
)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")  # an answer to HEAD has no content that could be checked
HANDLERS: tuple[Any, ...] = ("none", "sleep", "spin", "timer")


def parse(name: str, table: Table) -> Scenario:
    table.allow_only(MEMBERS)
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
        tls=table.flag("tls", False),
        http2=table.flag("http2", False),
        resumed=table.flag("resumed", False),
        method=table.choice("method", METHODS),
        request_bytes=table.whole("request_bytes", 0),
        asks_for=_path(table),
        own_connections=table.wholes("connections"),
        own_rates=table.rates("rates"),
    )
    _reject_contradictions(table, scenario)
    _reject_what_tls_cannot_be(table, scenario)
    return scenario if scenario.summary else _with_summary(scenario)


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


def _reject_what_tls_cannot_be(table: Table, scenario: Scenario) -> None:
    is_other = scenario.tls or scenario.http2
    if is_other and (scenario.handler != "none" or scenario.method != "GET"):
        raise table.wrong("tls and http2 want files: neither handler nor method is allowed with them")
    if is_other and (scenario.slow_readers or scenario.slow_senders):
        raise table.wrong("slow_readers and slow_senders speak plain HTTP/1.1: tls and http2 are not allowed with them")
    if scenario.http2 and scenario.idle_connections:
        raise table.wrong("idle_connections speak HTTP/1.1: http2 is not allowed with them")
    if scenario.http2 and not scenario.keep_alive:
        raise table.wrong("http2 wants keep_alive = true: it has streams in place of connections")
    if scenario.resumed and (scenario.keep_alive or not scenario.tls):
        raise table.wrong("resumed wants tls = true and keep_alive = false: it is about the handshake")


def _with_summary(scenario: Scenario) -> Scenario:
    sends = f" with {scenario.request_bytes:,} bytes" if scenario.request_bytes else ""
    words = [f"{scenario.method} {scenario.path}{sends}, {scenario.body_bytes:,} bytes come back"]
    if scenario.tls or scenario.http2:
        words.append("over " + " and ".join(["HTTP/2"] * scenario.http2 + ["TLS"] * scenario.tls))
    if not scenario.keep_alive:
        words.append("a resumed connection for each request" if scenario.resumed else "a connection for each request")
    if scenario.pipeline > 1:
        words.append(f"{scenario.pipeline} requests at a time on each connection")
    if scenario.handler != "none":
        words.append(f"a handler ({scenario.handler}) of {scenario.handler_seconds * 1e3:g} ms")
    return Scenario(**(vars(scenario) | {"summary": ", ".join(words)}))
