"""[[scenario]]: work of one's own."""

from typing import Any, Literal

from typing_extensions import TypedDict

from weir_lab.core.scenario import Scenario
from weir_lab.user_targets.table import Flag, From0, From1, Number, Rates, Table, Text, Wholes

HANDLERS = ("sleep", "spin", "timer")
# What a Scenario calls otherwise.
NAMES = {"path": "asks_for", "connections": "own_connections", "rates": "own_rates"}


class ScenarioTable(TypedDict, total=False):
    name: Text
    summary: Text
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]  # an answer to HEAD has no content that could be checked
    path: Text
    body_bytes: From0
    request_bytes: From0
    keep_alive: Flag
    pipeline: From1
    handler: Literal["none", "sleep", "spin", "timer"]
    handler_ms: Number
    connections: Wholes
    rates: Rates
    idle_connections: From0
    slow_readers: From0
    slow_senders: From0
    tls: Flag
    http2: Flag
    resumed: Flag


def parse(name: str, table: Table) -> Scenario:
    found: dict[str, Any] = {"summary": ""} | dict(table.read(ScenarioTable)) | {"name": name}
    milliseconds = found.pop("handler_ms", 0.0)
    members: dict[str, Any] = {
        NAMES.get(one) or one: tuple(value) if isinstance(value, list) else value for one, value in found.items()
    }
    scenario = Scenario(**members, handler_seconds=milliseconds / 1e3)
    _reject_contradictions(table, scenario)
    _reject_what_tls_cannot_be(table, scenario)
    return scenario if scenario.summary else _with_summary(scenario)


def _reject_contradictions(table: Table, scenario: Scenario) -> None:
    if (scenario.handler == "none") != (scenario.handler_seconds == 0.0):
        raise table.wrong(
            'handler and handler_ms belong together, as in handler = "sleep" and handler_ms = 2; '
            f"allowed handlers are {', '.join(HANDLERS)}"
        )
    path = scenario.asks_for
    if path and (not path.startswith("/") or any(part in ("..", ".") for part in path.split("/")) or " " in path):
        raise table.wrong(f'path is that of a URL, as in path = "/hello"; it is {path!r}')
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
