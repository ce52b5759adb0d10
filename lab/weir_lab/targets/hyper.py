"""hyper: lab/peers/hyper, a small program on hyper 1 and tokio."""

from __future__ import annotations

from weir_lab.scenario import Scenario
from weir_lab.targets.peer import CratePeer, needs_no_handler
from weir_lab.targets.target import Ground

PROGRAM = CratePeer("hyper", ("hyper", "tokio"))
# Head and content are copied into one buffer, and those of pipelined requests leave together: good for small files, and a copy
# of each large one for each connection that reads it.
GATHERED_BYTES_MAX = 16 * 1024


class Hyper:
    name = "hyper"
    summary = ("a program on hyper 1 and tokio, a runtime for each worker; all files from memory, never looked at again, and no "
               "deadlines: both favour it; pipeline_flush for files up to 16 KB. Head: weir's fields")

    def missing(self) -> str | None:
        return PROGRAM.missing()

    def version(self) -> str:
        return PROGRAM.version()

    def workers(self, wanted: int) -> int:
        return wanted

    def command(self, scenario: Scenario, ground: Ground) -> list[str]:
        needs_no_handler(self.name, scenario)
        large = scenario.body_bytes > GATHERED_BYTES_MAX or scenario.slow_readers
        return [str(PROGRAM.path()), "--port", str(ground.port),
                "--root", str(ground.site), "--workers", str(ground.workers), "--gather", "no" if large else "yes"]
