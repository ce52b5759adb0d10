"""hyper: lab/peers/hyper, a small program on hyper 1 and tokio. hyper-rustls is the same program, built with TLS and
HTTP/2: the libraries for that take a minute to build, and most work needs neither."""

from weir_lab.core.scenario import Scenario
from weir_lab.core.target import ServerSetup
from weir_lab.targets.peer import CratePeer, Peer, needs_no_handler
from weir_lab.targets.ways import SEPARATOR, Ways

PLAIN = CratePeer("hyper", ("hyper", "tokio"))
WITH_RUSTLS = CratePeer("hyper", ("aws-lc-rs", "h2", "hyper", "rustls", "tokio"), place="hyper-rustls")

WAYS = Ways(
    settings={
        # Copies head and content into one buffer, together with other pipelined answers. For large files it would need
        # a copy for each connection.
        "gather": {"gather": "yes"},
        "vectored": {"gather": "no"},
    },
    best={
        "keep-alive": "gather",
        "close": "gather",
        "pipelined": "gather",
        "file-100k": "vectored",
        "file-1m": "vectored",
        "file-10m": "vectored",
    },
)


class Hyper(Peer):
    def __init__(self, way: str = "", program: CratePeer = PLAIN) -> None:
        self.name = (program.place or "hyper") + (SEPARATOR + way if way else "")
        self.summary = (
            f"a program on hyper 1 and tokio{', rustls and aws-lc-rs' * bool(program.place)}, a runtime for each "
            "worker; all files from memory, never checked for changes, and no deadlines: both favour it; "
            f"{WAYS.words(way)}. Head: weir's fields"
        )
        self._way, self.program = way, program

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario, speaks_all=self.program is WITH_RUSTLS)
        files = setup.certificate
        # Otherwise each slow reader would hold a copy of the large file.
        way = "vectored" if scenario.slow_readers and not self._way else WAYS.name(scenario, self._way)
        serves = ["--port", str(setup.port), "--root", str(setup.site), "--workers", str(setup.workers)]
        secure = ["--certificate", str(files.chain), "--key", str(files.key)] if scenario.tls else []
        http2 = ["--http2", "yes"] if scenario.http2 else []
        return [str(self.program.path()), *serves, *secure, *http2, "--gather", WAYS.settings[way]["gather"]]
