"""haproxy as a reflector, which answers by itself from memory, and as a proxy."""

from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.peer import (
    KEEP_ALIVE_SECONDS,
    DebianProgram,
    Peer,
    buffer_bytes,
    configure,
    connections_max,
    needs_no_handler,
    substituted,
)

HAPROXY = DebianProgram("haproxy", "haproxy", "-v")

BUFFER_BYTES = 16 * 1024  # by default
BODY_BYTES_MAX = 100 * 1024

CONFIGURATION = """\
global
    nbthread $workers
    maxconn $connections
    # It counts two descriptors for each connection, but as a reflector it needs only one.
    no strict-limits
    tune.bufsize $buffer
    # A proxy closes no idle connection to the other server for want of descriptors.
    tune.pool-low-fd-ratio 100
    tune.pool-high-fd-ratio 100

defaults
    mode http
    timeout client ${keep_alive}s
    timeout http-request 10s
    timeout http-keep-alive ${keep_alive}s

frontend $name
    bind 127.0.0.1:$port backlog 4096
    $serving
"""

REFLECTING = """\
http-request return status 200 content-type application/octet-stream file $body $fields if { path $path }
    http-request return status 404
"""

# The other server gets the fields that weir and caddy add to each request.
PASSING_ON = """\
http-request set-header X-Forwarded-For %[src]
    http-request set-header X-Forwarded-Host %[req.hdr(host)]
    http-request set-header X-Forwarded-Proto http
    default_backend other

backend other
    timeout connect 5s
    timeout server 60s
    http-reuse always
    server other 127.0.0.1:$port
"""

# haproxy adds no fields itself. These are weir's; the date is that of each answer.
FIELDS = {
    "Date": "%[date(),http_date]",
    "Last-Modified": "Fri, 20 Nov 2026 22:18:01 GMT",
    "Accept-Ranges": "bytes",
    "ETag": '\\"400-1c7a740f88e9194e\\"',
    "X-Content-Type-Options": "nosniff",
}


class Haproxy(Peer):
    name, program = "haproxy", HAPROXY
    summary = (
        "haproxy as a reflector (`http-request return` out of memory) or as a proxy (`http-reuse always`), a thread "
        "for each worker. Head of a reflector: weir's fields"
    )

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario, is_proxy=True)
        if scenario.proxied:
            return self._command(scenario, setup, substituted(PASSING_ON, port=setup.other_port))
        if scenario.body_bytes > BODY_BYTES_MAX or scenario.slow_readers:
            raise CannotServe("haproxy answers by itself out of one buffer: no large files")
        fields = " ".join(f'hdr {name} "{value}"' for name, value in FIELDS.items())
        body = setup.site / scenario.path[1:]
        return self._command(scenario, setup, substituted(REFLECTING, body=body, path=scenario.path, fields=fields))

    @staticmethod
    def _command(scenario: Scenario, setup: ServerSetup, serving: str) -> list[str]:
        configuration = configure(
            setup.scratch / "haproxy.cfg",
            CONFIGURATION,
            name="proxy" if scenario.proxied else "reflector",
            serving=serving,
            port=setup.port,
            workers=setup.workers,
            buffer=buffer_bytes(scenario, BUFFER_BYTES),
            connections=connections_max(setup),
            keep_alive=KEEP_ALIVE_SECONDS,
        )
        return [HAPROXY.path(), "-db", "-f", str(configuration)]
