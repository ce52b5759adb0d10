"""haproxy as a reflector: it answers by itself from memory, without a server behind it."""

from __future__ import annotations

from weir_lab.scenario import Scenario
from weir_lab.targets.peer import KEEP_ALIVE_SECONDS, DebianProgram, configure, connections_max, needs_no_handler
from weir_lab.targets.target import CannotServe, ServerSetup

HAPROXY = DebianProgram("haproxy", "haproxy", "-v")

# One of its buffers holds the whole answer, its head, and some spare room.
BUFFER_BYTES = 16 * 1024
HEAD_BYTES = 2 * 1024
BODY_BYTES_MAX = 100 * 1024

CONFIGURATION = """\
global
    nbthread $workers
    maxconn $connections
    # It counts two descriptors for each connection, but here it needs only one.
    no strict-limits
    tune.bufsize $buffer

defaults
    mode http
    timeout client ${keep_alive}s
    timeout http-request 10s
    timeout http-keep-alive ${keep_alive}s

frontend reflector
    bind 127.0.0.1:$port backlog 4096
    http-request return status 200 content-type application/octet-stream file $body $fields if { path $path }
    http-request return status 404
"""

# haproxy adds no fields itself. These are weir's; the date is that of each answer.
FIELDS = {
    "Date": "%[date(),http_date]",
    "Last-Modified": "Fri, 20 Nov 2026 22:18:01 GMT",
    "Accept-Ranges": "bytes",
    "ETag": '\\"400-1c7a740f88e9194e\\"',
    "X-Content-Type-Options": "nosniff",
}


class Haproxy:
    name = "haproxy"
    summary = (
        "haproxy as a reflector: `http-request return` out of memory, a thread for each worker. Head: weir's fields"
    )

    def needs(self) -> tuple[str, ...]:
        return HAPROXY.needs()

    def missing(self) -> str | None:
        return HAPROXY.missing()

    def version(self) -> str:
        return HAPROXY.version()

    def workers(self, wanted: int) -> int:
        return wanted

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario)
        if scenario.body_bytes > BODY_BYTES_MAX or scenario.slow_readers:
            raise CannotServe("haproxy answers by itself out of one buffer: no large files")
        configuration = configure(
            setup.scratch / "haproxy.cfg",
            CONFIGURATION,
            body=setup.site / scenario.path[1:],
            path=scenario.path,
            fields=" ".join(f'hdr {name} "{value}"' for name, value in FIELDS.items()),
            port=setup.port,
            workers=setup.workers,
            buffer=max(BUFFER_BYTES, scenario.body_bytes + HEAD_BYTES),
            connections=connections_max(setup),
            keep_alive=KEEP_ALIVE_SECONDS,
        )
        return [HAPROXY.path(), "-db", "-f", str(configuration)]
