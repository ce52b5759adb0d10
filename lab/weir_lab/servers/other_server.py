"""The server behind the proxies: `weir target` of this build, a new one for each run. The lab asks it without a proxy
first, since every proxy must pass on the same answer, and counts what it sends, since every proxy must ask it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from weir_lab.clients.expected import Expected
from weir_lab.clients.sampler import CONNECTIONS_MAX
from weir_lab.clients.transport import PLAIN
from weir_lab.clients.wire import Answer, Wrong
from weir_lab.core import built
from weir_lab.core.result import Window
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import CannotServe
from weir_lab.counting.steady import Steady
from weir_lab.kernel import sockets
from weir_lab.servers.server_process import ServerProcess, free_port
from weir_lab.targets.weir import answering

ENGINE = "per-core"
FOLDER = "other-server"  # in the folder of a run
WAIT_SECONDS = 5.0  # for a part of an answer
ASKED = 20  # requests, before the run
PASSED_ON_TOLERANCE = 0.1  # a proxy may close connections to the other server, which take their counts along
OPENED_AGAIN_TOLERANCE = 0.01


@dataclass(frozen=True)
class OtherServer:
    process: ServerProcess
    answer: Answer  # without a proxy

    @property
    def answer_bytes(self) -> int:
        return self.answer.head_bytes + len(self.answer.body)

    def cpu_seconds(self) -> float:
        return self.process.cpu().seconds

    def misses(self, port: int, request: bytes) -> str:
        """Why the proxy at that port does not do its work; empty if it does. Raises OSError and Wrong."""
        try:
            before = self.sent()
        except OSError:  # this kernel has no sock_diag(7)
            return ""
        with PLAIN.wire(port, WAIT_SECONDS) as wire:
            for _ in range(ASKED):
                wire.send(request)
                wire.answer()
            sent = sockets.acked_since(before, self.sent())  # before a proxy closes its connection after this one
        return _too_few(sent / self.answer_bytes, ASKED)

    def answers(self, steady: Steady) -> float | None:
        """That it gave in the steady part. None if the kernel does not count them."""
        return steady.bytes_sent_to_proxy / self.answer_bytes if steady.end.sent else None

    def sent(self) -> dict[bytes, int]:
        return sockets.bytes_acked(self.process.port)


def reasons(window: Window, steady: Steady, clients: int) -> list[str]:
    """Why the run of a proxy does not count. The kernel counts the accepts of both servers together, so the lab looks
    at the connections themselves."""
    found = [_too_few(window.passed_on, window.answers)] if window.passed_on is not None else []
    if steady.opened_again > clients * OPENED_AGAIN_TOLERANCE + CONNECTIONS_MAX:
        found.append(f"{steady.opened_again:,} connections of clients were closed and opened again")
    return [words for words in found if words]


def _too_few(passed_on: float, answers: float) -> str:
    """Empty if the other server gave all of a proxy's answers."""
    if passed_on >= answers * (1 - PASSED_ON_TOLERANCE):
        return ""
    return f"the proxy gave {answers:,.0f} answers, but only {passed_on:,.0f} came from the other server"


@contextmanager
def behind(scenario: Scenario, scratch: Path, cores: tuple[int, ...]) -> Iterator[OtherServer | None]:
    """None if the scenario has no proxy. Raises CannotServe and DidNotStart."""
    if not scenario.proxied:
        yield None
        return
    if because := built.not_built(built.weir(), "./run build"):
        raise CannotServe(f"the other server: {because}")
    folder, port = scratch / FOLDER, free_port()
    folder.mkdir()
    with ServerProcess(_command(scenario, port, cores), port, scenario.path, folder, cores) as process:
        yield OtherServer(process, _asked(scenario, port))


def _command(scenario: Scenario, port: int, cores: tuple[int, ...]) -> list[str]:
    return answering(ENGINE, port, "--bytes", str(scenario.body_bytes), "--workers", str(max(1, len(cores))))


def _asked(scenario: Scenario, port: int) -> Answer:
    expected = Expected(scenario.path, scenario.body_bytes)
    try:
        with PLAIN.wire(port, WAIT_SECONDS) as wire:
            wire.send(expected.request(port))
            answer = wire.answer()
        expected.check(answer)
        return answer
    except (Wrong, OSError) as error:
        raise CannotServe(f"the other server: {error}") from None
