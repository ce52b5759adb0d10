"""Everything that the lab does beside the generator to know what really happened in a run, in one place: it questions
the server before the run, looks at answers and at processes during it, and leaves what it found."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from weir_lab.clients import sampler
from weir_lab.clients.expected import Expected
from weir_lab.clients.sampler import Sampler, Sampling
from weir_lab.clients.transport import PLAIN, Transport
from weir_lab.clients.wire import Wrong
from weir_lab.core.findings import Counted, Sampled, Trust
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import Target
from weir_lab.counting import traffic
from weir_lab.kernel import owners
from weir_lab.network.namespaces import Network
from weir_lab.servers.other_server import ASKED, OtherServer
from weir_lab.servers.server_process import ServerProcess
from weir_lab.targets import engine
from weir_lab.verify import outsiders
from weir_lab.verify.validator import WAIT_SECONDS, Exempt, Untrue, ask_again, validate


class Look:
    """Looks after that many seconds from entering, unless it is left before."""

    def __init__(self, at: Callable[[], list[str]], after_seconds: float, cores: Sequence[int]) -> None:
        self._at, self._after_seconds, self._cores = at, after_seconds, cores
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="look", daemon=True)
        self.found: list[str] = []

    def __enter__(self) -> Look:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        if self._over.wait(self._after_seconds):
            return
        if self._cores:
            os.sched_setaffinity(0, self._cores)  # of this thread alone
        self.found = self._at()


LOOK_AT = 0.4  # of the run, when the lab looks who holds the connections


class Witness:
    def __init__(
        self,
        target: Target,
        scenario: Scenario,
        site: Path,
        server: ServerProcess,
        network: Network,
        asks_in: str = "1.1",
        transport: Transport = PLAIN,
        other: OtherServer | None = None,
    ) -> None:
        """`asks_in`: the generator's version of HTTP. `other`: the server is a proxy, and passes on its answers."""
        self._transport = transport
        self._target, self._scenario, self._server, self._network = target, scenario, server, network
        self._counted = Counted()
        self._not_asked = target.not_asked(scenario) if isinstance(target, Exempt) else ()
        self._expected = Expected.of(scenario, site, is_file="content" not in self._not_asked, asks_in=asks_in)
        if other:
            self._expected = self._expected.learned(other.answer)
        self._other = other
        self._trust = Trust()

    def question(self, workers: int) -> None:
        """Before the run. Raises Untrue."""
        server = self._server
        if isinstance(self._target, engine.NamesItsEngine):
            self._trust = replace(self._trust, engine=engine.said(server.said_first()))
            if words := engine.wrong(self._target.asked(workers), server.pid, server.said_first()):
                raise Untrue(f"another server than asked for: {words}")
        found, self._expected = validate(server.port, self._scenario, self._expected, self._not_asked, self._transport)
        self._trust = replace(self._trust, validated=found)
        if strangers := self._holders_of_a_connection():
            raise Untrue(f"sockets of the server's port belong to process {strangers[0]}, which is no child of it")
        if words := self._misses():
            raise Untrue(words)

    def _misses(self) -> str:
        try:
            request = self._expected.request(self._server.port)
            return self._other.misses(self._server.port, request) if self._other else ""
        except (Wrong, OSError) as error:
            return f"asked by the lab {ASKED} times more: {error}"

    def question_again(self) -> list[str]:
        """After the run: why it does not count."""
        try:
            ask_again(self._server.port, self._scenario, self._expected, self._transport)
        except Untrue as error:
            return [str(error)]
        return []

    @contextmanager
    def watching(
        self,
        cores: tuple[int, ...],
        start_up_seconds: float,
        seconds: float,
        samples: bool = True,
        is_open_loop: bool = False,
    ) -> Iterator[None]:
        """During the run. `seconds`: of the generator after its start."""
        cpu_before, traffic_before = outsiders.cpu_by_process(), self._traffic()
        sampled = Sampled(why_not="the target serves too few connections at a time for the lab's own")
        with Look(self._holders, start_up_seconds + seconds * LOOK_AT, cores) as holders:
            if samples and "samples" not in self._not_asked:
                sampling = replace(self._sampling(cores, start_up_seconds), yields=is_open_loop)
                with Sampler(sampling) as one:
                    self._server.of_the_lab = one.kept_connections
                    self._server.sampled = one.given
                    yield
                sampled = one.found()
            else:
                yield
        if traffic_before and (traffic_after := self._traffic()):
            used = traffic_after - traffic_before
            # The accepts of a proxy can't be told from those of the other server.
            self._counted = Counted(accepts=None if self._other else used.accepts, octets=used.bytes_out)
        self._trust = replace(
            self._trust,
            sampled=sampled if samples else None,
            outsiders=outsiders.workers(cpu_before, self._server.tops()),
            strangers=holders.found,
        )

    def found(self, wall_seconds: float | None = None) -> Trust:
        """Once the run is over, or when it did not begin."""
        return replace(self._trust, counted=replace(self._counted, wall_seconds=wall_seconds))

    def _traffic(self) -> traffic.Traffic | None:
        """The kernel's counts, if they are those of this run alone."""
        return traffic.counts() if self._network.is_private else None

    def _sampling(self, cores: tuple[int, ...], start_up_seconds: float) -> Sampling:
        assert self._trust.validated
        return Sampling(
            self._server.port,
            self._expected,
            self._scenario.keep_alive,
            sampler.per_second(self._scenario.body_bytes, self._trust.validated.answer_seconds),
            cores,
            start_up_seconds,
            transport=self._transport,
        )

    def _holders(self) -> list[str]:
        return owners.strangers(self._server.tops(), self._server.port)

    def _holders_of_a_connection(self) -> list[str]:
        """With one that the server has accepted, so that its owner shows."""
        try:
            with self._transport.wire(self._server.port, WAIT_SECONDS) as wire:
                wire.send(self._expected.request(self._server.port))
                wire.answer()
                return self._holders()
        except (Wrong, OSError) as error:
            raise Untrue(f"asked by the lab once more: {error}") from None
