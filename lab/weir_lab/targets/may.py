"""may_minihttp: lab/peers/may, a small program on stackful coroutines."""

from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.targets.peer import CratePeer, Peer, needs_no_handler

PROGRAM = CratePeer("may", ("may", "may_minihttp"))
BODY_BYTES_MAX = 16 * 1024  # it copies the whole answer into one buffer


class May(Peer):
    name, program = "may", PROGRAM
    summary = (
        "a program on may_minihttp, a coroutine for each connection; all files from memory, no deadlines, no limits: "
        "all favour it; keeps each connection, whatever the client asks for. Head: weir's fields, and Server"
    )

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        """It keeps each connection, and answers HEAD like GET."""
        return ("close", "head")

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario)
        if not scenario.keep_alive:
            raise CannotServe("may closes no connection where the client asks for it")
        if scenario.body_bytes > BODY_BYTES_MAX or scenario.slow_readers:
            raise CannotServe("may copies each answer into one buffer, and so is asked for no large file")
        return [str(PROGRAM.path()), str(setup.port), str(setup.site), str(setup.workers)]
