"""Tries a server that somebody wants to bring, and says in words what is wrong with it."""

import contextlib
import ipaddress
import struct
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from weir_lab.clients import wire as wires
from weir_lab.clients.expected import Expected
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import CannotServe, ServerSetup
from weir_lab.kernel import owners, processes
from weir_lab.kernel.owners import targets_of_descriptors
from weir_lab.servers.server_process import DidNotStart, ServerProcess, free_port
from weir_lab.servers.starting import asked_of, network_of, start_of
from weir_lab.user_targets.target import OwnTarget
from weir_lab.verify.validator import Untrue, validate

FILE = SCENARIOS["keep-alive"]
CONTENT = bytes(number % 251 for number in range(FILE.body_bytes))
ANSWER_SECONDS = 5.0
DAEMON = ". If the server goes on in the background, use --cpu cgroup"


class Wrong(Exception):
    """What is wrong, and what helps."""


class TriedServer(ServerProcess):
    """Says where a server listens that can't be reached."""

    def _wait_until_it_answers(self) -> None:
        try:
            super()._wait_until_it_answers()
        except DidNotStart as error:
            raise DidNotStart(f"{str(error).rstrip(': ')}{self._where()}") from None

    def _where(self) -> str:
        """Where it listens instead, or that it went into the background."""
        if not self.has_ended():
            return f"; {_not_reachable(self.tops(), self.port)}"
        return DAEMON if self.status() == 0 else ""


def look(target: OwnTarget, scenario: Scenario, say: Callable[[str], None]) -> Scenario:
    """Starts it and asks it. Returns the scenario with the path and the size that it answers. Raises Wrong."""
    if missing := target.missing():
        raise Wrong(missing)
    with tempfile.TemporaryDirectory(prefix="weir-lab-") as folder, network_of(target):
        site, scratch = Path(folder) / "site", Path(folder) / "scratch"
        site.mkdir()
        scratch.mkdir()
        (site / FILE.file).write_bytes(CONTENT)
        scenario = asked_of(target, scenario if scenario.asks_for else replace(scenario, asks_for=_usual_path(target)))
        setup = ServerSetup(free_port(), site, scratch, 1, (), 100)
        try:
            command = target.command(scenario, setup)
            say(f"starting it; {{port}} is {setup.port} now")
            start = start_of(target, scenario, setup.port)
            with TriedServer(
                command, setup.port, scenario.path, scratch, keep_alive=scenario.keep_alive, start=start
            ) as server:
                say(f"asking it for {scenario.path}")
                return _ask(target, server, scenario, site)
        except (CannotServe, DidNotStart) as error:
            raise Wrong(str(error)) from None


def _usual_path(target: OwnTarget) -> str:
    return FILE.path if "site" in target.placeholders() else "/"


def _not_reachable(tops: list[int], port: int) -> str:
    found = listeners_of(processes.families(tops))
    here = [one for one in found if one.port == port]
    if any(one.is_reachable for one in here):
        return "it listens at the port that the lab chose, but does not answer"
    if here:
        return f"it listens on {here[0].address} only; the lab asks 127.0.0.1"
    if found:
        places = ", ".join(f"{one.address} port {one.port}" for one in found)
        return f"it listens on {places}, and not at {{port}}, which is {port}: does the program read that argument?"
    return f"it listens nowhere; it should listen at {{port}}, which is {port}"


def _ask(target: OwnTarget, server: ServerProcess, scenario: Scenario, site: Path) -> Scenario:
    request = Expected.of(scenario, site, is_file=False).request(server.port, close=not scenario.keep_alive)
    try:
        with wires.Wire(server.port, ANSWER_SECONDS) as wire:
            first = _answer(wire, request)
            _check_status(first, scenario)
            if scenario.keep_alive:
                _check_second(wire, request, first)
    except (wires.Wrong, OSError) as error:
        raise Wrong(str(error)) from None
    scenario = replace(scenario, body_bytes=len(first.body))
    if strangers := owners.strangers(server.tops(), server.port):
        raise Wrong(
            f"process {strangers[0]} listens at the port, and is no descendant of the command: its CPU would not be "
            "counted. If the server daemonises, use --cpu cgroup"
        )
    left_out = tuple(one for one in target.not_asked(scenario) if one != "content")
    content = () if first.body == CONTENT else ("content",)
    expected = Expected.of(scenario, site, is_file=not content)
    try:
        validate(server.port, scenario, expected, (*left_out, *content))
    except Untrue as error:
        raise Wrong(str(error)) from None
    return scenario


def _answer(wire: wires.Wire, request: bytes) -> wires.Answer:
    wire.send(request)
    answer = wire.answer()
    if wire.rest():
        raise Wrong(f"wrong length: it announces {len(answer.body):,} bytes and sends {wire.rest():,} more")
    return answer


def _check_status(answer: wires.Answer, scenario: Scenario) -> None:
    if answer.status != 200:
        said = f"{answer.status} {answer.reason}".strip()
        raise Wrong(f"it answers {said} for {scenario.path}; --path says what the lab should ask for")


def _check_second(wire: wires.Wire, request: bytes, first: wires.Answer) -> None:
    try:
        second = _answer(wire, request)
    except (wires.Wrong, OSError):
        helps = (
            "let it keep connections, or measure it with --close"
            if first.version == "HTTP/1.1"
            else "let it speak HTTP/1.1, which keeps connections"
        )
        raise Wrong(f"it closes the connection after each answer ({first.version}); {helps}") from None
    if len(second.body) != len(first.body):
        raise Wrong(
            f"its answers differ in length ({len(first.body):,} and {len(second.body):,} bytes); the lab measures "
            "answers of one length"
        )


# --- where processes listen (/proc/net/tcp, /proc/PID/fd) ---


REACHED = ("127.0.0.1", "0.0.0.0", "::", "::ffff:127.0.0.1")


@dataclass(frozen=True)
class Listener:
    address: str
    port: int

    @property
    def is_reachable(self) -> bool:
        """At 127.0.0.1."""
        return self.address in REACHED


def listeners_of(pids: Iterable[int]) -> list[Listener]:
    """Each address once."""
    pids = list(pids)
    theirs = set().union(*(targets_of_descriptors(pid) for pid in pids))
    found = [one for pid in pids[:1] for inode, one in _listening(pid) if f"socket:[{inode}]" in theirs]
    return list(dict.fromkeys(found))


def _listening(pid: int) -> Iterator[tuple[str, Listener]]:
    """In the network of that process."""
    with contextlib.suppress(OSError):
        for fields in processes.tcp(str(pid)):
            if fields[3] == processes.LISTENING:
                address, _, port = fields[1].partition(":")
                yield fields[9], Listener(_address(address), int(port, 16))


def _address(hexadecimal: str) -> str:
    """The kernel prints words of 32 bits as this machine keeps them."""
    words = [int(hexadecimal[at : at + 8], 16) for at in range(0, len(hexadecimal), 8)]
    address = ipaddress.ip_address(struct.pack(f"={len(words)}I", *words))
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
