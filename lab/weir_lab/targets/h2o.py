"""h2o. It keeps served files open, and runs an event loop on each thread."""

import os
import string

from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.peer import KEEP_ALIVE_SECONDS, DebianProgram, Peer, configure, connections_max, needs_no_handler
from weir_lab.targets.ways import KINDS, SEPARATOR, Ways

H2O = DebianProgram("h2o", "h2o", "--version")

CONFIGURATION = """\
$user
pid-file: $scratch/h2o.pid
error-log: $scratch/error.log
num-threads: $workers
max-connections: $connections
http1-request-timeout: $keep_alive
send-server-name: OFF
http1-upgrade-to-http2: $upgrade
http2-idle-timeout: $keep_alive
# Otherwise it keeps a Perl program, whose memory is not h2o's.
crash-handler: /bin/true
tcp-fastopen: 0
listen:
  host: 127.0.0.1
  port: $port
$tls
hosts:
  default:
    paths:
      /:
        file.dir: $site
        file.mime.setdefaulttype: application/octet-stream
        header.add: "X-Content-Type-Options: nosniff"
"""


# h2o has few settings: its cache of open files has a fixed size, and it never sends large files by sendfile.
WAYS = Ways(
    settings={"upgrade": {"upgrade": "ON"}, "no-upgrade": {"upgrade": "OFF"}}, best=dict.fromkeys(KINDS, "no-upgrade")
)


# Without OCSP, for which it would start a program of its own.
TLS = """\
  ssl:
    certificate-file: $chain
    key-file: $key
    minimum-version: TLSv1.3
    ocsp-update-interval: 0
"""


class H2o(Peer):
    program = H2O

    def __init__(self, way: str = "") -> None:
        self.name = "h2o" + (SEPARATOR + way if way else "")
        self.summary = (
            f"h2o, a thread for each worker; no access log; {WAYS.words(way)}. Head: weir's fields, and Connection"
        )
        self._way = way

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        """Raises CannotServe."""
        needs_no_handler(self.name, scenario, speaks_all=True)
        if scenario.resumed:
            raise CannotServe(
                "h2o gives no new ticket with a resumed session, and a client uses each once: a third of the "
                "handshakes would be full"
            )
        way = WAYS.name(scenario, self._way)
        configuration = configure(
            setup.scratch / f"h2o-{way}.conf",
            CONFIGURATION,
            # Without TLS, it finds HTTP/2 with prior knowledge only if it would also upgrade.
            upgrade="ON" if scenario.http2 else WAYS.settings[way]["upgrade"],
            tls=string.Template(TLS).substitute(vars(setup.certificate)) if scenario.tls else "",
            user="user: root" if os.geteuid() == 0 else "",  # otherwise it becomes nobody
            scratch=setup.scratch,
            site=setup.site,
            port=setup.port,
            workers=setup.workers,
            connections=connections_max(setup),
            keep_alive=KEEP_ALIVE_SECONDS,
        )
        return [H2O.path(), "--conf", str(configuration)]
