"""lighttpd: one event loop; with several workers, a process for each."""

import resource

from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.peer import (
    KEEP_ALIVE_SECONDS,
    OTHER_DESCRIPTORS,
    DebianProgram,
    Peer,
    configure,
    connections_max,
    needs_no_handler,
)
from weir_lab.targets.ways import SEPARATOR, Ways

LIGHTTPD = DebianProgram("lighttpd", "lighttpd", "-v")

CONFIGURATION = """\
server.modules = ("mod_setenv")
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "$site"
server.errorlog = "$scratch/error.log"
server.upload-dirs = ("$scratch")
server.tag = ""
server.event-handler = "linux-sysepoll"
server.network-backend = "$backend"
server.stat-cache-engine = "$stat_cache"
server.listen-backlog = 4096
server.max-worker = $workers
server.max-connections = $connections
server.max-fds = $descriptors
server.max-keep-alive-idle = $keep_alive
server.max-keep-alive-requests = $requests
mimetype.assign = ("" => "application/octet-stream")
setenv.add-response-header = ("X-Content-Type-Options" => "nosniff")
"""

REQUESTS_MAX = 65_535  # on a connection: its counter has 16 bits


WAYS = Ways(
    settings={
        "sendfile": {"backend": "sendfile", "stat_cache": "simple"},
        "sendfile-inotify": {"backend": "sendfile", "stat_cache": "inotify"},
        "writev": {"backend": "writev", "stat_cache": "simple"},
        "writev-inotify": {"backend": "writev", "stat_cache": "inotify"},
    },
    best={
        "keep-alive": "writev-inotify",
        "close": "writev-inotify",
        "pipelined": "writev-inotify",
        "file-100k": "sendfile",
        "file-1m": "sendfile",
        "file-10m": "sendfile",
    },
)


class Lighttpd(Peer):
    program = LIGHTTPD

    def __init__(self, way: str = "") -> None:
        self.name = "lighttpd" + (SEPARATOR + way if way else "")
        self.summary = (
            f"lighttpd, a process for each worker; no access log; closes a connection after {REQUESTS_MAX:,} requests, "
            f"its limit; {WAYS.words(way)}. Head: weir's fields"
        )
        self._way = way

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario)
        descriptors = _descriptors(setup)
        way = WAYS.name(scenario, self._way)
        configuration = configure(
            setup.scratch / f"lighttpd-{way}.conf",
            CONFIGURATION,
            **WAYS.settings[way],
            scratch=setup.scratch,
            site=setup.site,
            port=setup.port,
            workers=setup.workers if setup.workers > 1 else 0,  # 0: one process that serves, without a supervisor
            connections=descriptors // 2,
            descriptors=descriptors,
            keep_alive=KEEP_ALIVE_SECONDS,
            requests=REQUESTS_MAX,
        )
        return [LIGHTTPD.path(), "-D", "-f", str(configuration)]


def _descriptors(setup: ServerSetup) -> int:
    """lighttpd accepts connections only up to half of its descriptors."""
    _, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 2 * setup.connections > allowed:
        raise CannotServe(
            f"lighttpd wants two descriptors for each of {setup.connections:,} connections; {allowed:,} are allowed "
            "(ulimit -Hn)"
        )
    return min(allowed, 2 * connections_max(setup) + OTHER_DESCRIPTORS)
