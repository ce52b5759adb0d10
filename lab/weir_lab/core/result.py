"""The result of an experiment: result.json, and its runs, one a line, in runs.ndjson. docs/lab.md explains every
member."""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir_lab.core import stored
from weir_lab.core.findings import Trust
from weir_lab.core.load import Load

SCHEMA = 2  # increased when a member changes its meaning
WITH_RUNS = 1  # the schema of older results, whose result.json has the runs
RUNS, RAW = "runs.ndjson", "raw.ndjson"
# Members of a run that are in raw.ndjson: neither tables nor reports need them of each run.
OF_RAW = ("response_head", "server_command", "generator_command", "generator_output")
OF_RAW_TRUST = ("validated", "outsiders", "strangers")
# What differs between runs of the same command: ports, and the folders of a run.
PASSING = re.compile(r"(?<=127\.0\.0\.1:)\d+|(?<=\[::1\]:)\d+|/tmp/[\w.-]+|\b\d{5}\b")
RATE_TOLERANCE = 0.03  # below the rate asked for


def now() -> str:
    """ISO 8601, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Cell:
    """One combination that is measured, several times."""

    scenario: str
    connections: int
    generator: str
    target: str
    workers: int
    rate: float | None = None  # requests per second over all connections, in open loop; None: closed loop

    @property
    def key(self) -> str:
        known = f"{self.scenario}|{self.connections}|{self.generator}|{self.target}|{self.workers}"
        return known if self.rate is None else f"{known}|{self.rate:g}"

    @property
    def row(self) -> Row:
        return Row(self.scenario, self.connections, self.generator, self.workers, self.rate)

    def __lt__(self, other: Cell) -> bool:
        return self._place < other._place

    @property
    def _place(self) -> tuple[str, int, str, str, int, float]:
        return self.scenario, self.connections, self.generator, self.target, self.workers, self.rate or 0.0


@dataclass(frozen=True)
class Row:
    """Cells of a row have the same work and differ only in their target: these are compared with each other."""

    scenario: str
    connections: int
    generator: str
    workers: int
    rate: float | None = None


@dataclass(frozen=True)
class ServerUse:
    """What the server used while the generator ran: all of its processes and threads together."""

    user_seconds: float
    system_seconds: float
    resident_bytes: int | None = None  # in the middle of the run (Pss: shared pages count once)
    context_switches: int | None = None
    system_calls: float | None = None  # per request; in traced runs only, by perf or strace
    established: int | None = None  # connections in the middle of the run, as the kernel counts
    clients_at_once: int | None = None  # under Connection: close, the most sockets of clients that the lab saw
    # Per request, by the name of perf's event ("instructions"); in traced runs only, and what this machine can count.
    counters: dict[str, float] = field(default_factory=dict)
    idle_bytes: float | None = None  # of resident memory, for each silent connection that was opened beside the traffic

    @property
    def cpu_seconds(self) -> float:
        return self.user_seconds + self.system_seconds


@dataclass(frozen=True)
class Window:
    """The steady part of a run: from when all connections were open until shortly before the generator ended."""

    begin_seconds: float  # after the first connection
    seconds: float
    cpu_seconds: float  # of the server
    clock: str  # "process", "processes" or "cgroup": which of the kernel's clocks counted it
    answers: float
    counted_by: str  # "bytes" that the server sent, "accepts" of connections, or the generator's "rate"
    softirq_seconds: float  # of the server's cores
    softirq_apart: bool  # the kernel books them to nobody; then `cpu_seconds` has them, unless cores are shared
    stolen: float  # by the host: a part of the time of the server's cores
    passed_on: float | None = None  # answers that came from the other server; None: the server is no proxy

    @property
    def cpu_per_request(self) -> float:
        return self.cpu_seconds / self.answers


@dataclass(frozen=True)
class Run:
    """One measurement. `refused` says why it does not count; empty: it counts."""

    cell: Cell
    round: int
    started: str  # ISO 8601, UTC
    load: Load | None  # None: the server or the generator did not start; `refused` says why
    server: ServerUse | None
    generator_cpu_seconds: float | None = None
    other_cpu_seconds: float | None = None  # of all other programs on this machine
    asked_rate: float | None = None  # open loop
    response_head: str = ""  # of an answer before the run
    server_command: list[str] = field(default_factory=list)
    generator_command: list[str] = field(default_factory=list)
    generator_output: str = ""
    refused: list[str] = field(default_factory=list)
    limited: str = ""  # why its rate and latency are the generator's; what the server used counts anyway
    traced: bool = False  # under perf or strace, which count for `server`: its times do not count
    window: Window | None = None  # None: it had no steady part, or was made by a lab that did not look for it
    network: str = ""  # where server and generator spoke with each other; empty: in the machine's own namespace
    trust: Trust | None = None  # what the lab itself found out; None: older than this member, or it did not begin
    # "counts"; "limited": the generator was the limit, and the server reached at least that rate; "refused". `limited`
    # and `refused` say why. Empty until the result is saved, and in results that are older than this member.
    state: str = ""
    other_server_cpu_seconds: float | None = None  # of the one behind a proxy; None: the server is no proxy

    @property
    def answers(self) -> int:
        """All that the server gave: those to the lab's own requests cost it CPU as well."""
        return (self.load.requests if self.load else 0) + (self.trust.sampled_answers if self.trust else 0)

    @property
    def cpu_per_request(self) -> float | None:
        """Seconds of server CPU, over the steady part if the run has one."""
        if self.window is not None:
            return self.window.cpu_per_request
        if self.load is None or self.server is None or self.load.requests == 0:
            return None
        return self.server.cpu_seconds / self.answers

    @property
    def is_short_of_rate(self) -> bool:
        """The open loop reached less than it was asked for."""
        return (
            self.load is not None
            and self.asked_rate is not None
            and self.load.rate < self.asked_rate * (1 - RATE_TOLERANCE)
        )

    def with_state(self) -> Run:
        return dataclasses.replace(self, state="refused" if self.refused else "limited" if self.limited else "counts")


@dataclass(frozen=True)
class Check:
    """A property of the machine that affects measurements."""

    name: str
    found: str
    fine: bool
    advice: str = ""  # the command that fixes it


@dataclass(frozen=True)
class Machine:
    processor: str
    cores: list[int]  # the cores that this process may use
    memory_bytes: int
    kernel: str
    system: str  # of /etc/os-release
    virtual: str  # as systemd-detect-virt or /proc/cpuinfo says; "" for none
    checks: list[Check] = field(default_factory=list)
    limits: dict[str, int] = field(default_factory=dict)  # of a process or of the kernel, by name


@dataclass(frozen=True)
class Build:
    """The weir that was measured."""

    version: str  # printed by `weir --version`
    commit: str  # of the sources; empty without a git repository
    dirty: bool  # uncommitted changes, or a binary that was not built from these sources
    sha256: str  # of the binary

    def words(self) -> str:
        known = f"commit {self.commit[:12]}" if self.commit else "commit not known"
        return (
            f"{self.version}, {known}{', with changes that are not committed' if self.dirty else ''}, binary "
            f"{self.sha256[:12]}"
        )


@dataclass(frozen=True)
class Commands:
    """Each command once, as it was run first. Commands that differ only in their port or in a run's folder are the
    same."""

    servers: list[str] = field(default_factory=list)
    generators: list[str] = field(default_factory=list)

    def and_of(self, runs: Iterable[Run]) -> Commands:
        runs = list(runs)
        return Commands(
            _once([*self.servers, *(shlex.join(run.server_command) for run in runs)]),
            _once([*self.generators, *(shlex.join(run.generator_command) for run in runs)]),
        )


@dataclass
class Result:
    title: str
    experiment: str  # the whole TOML text
    started: str
    machine: Machine
    versions: dict[str, str] = field(default_factory=dict)  # of every target and generator
    placement: str = ""  # which cores the server and the generator had, in words
    runs: list[Run] = field(default_factory=list)
    finished: str | None = None  # None: interrupted; the next run continues it
    schema: int = SCHEMA
    weir: Build | None = None  # None: not measured, or written by a lab that did not know this member
    about: dict[str, str] = field(default_factory=dict)  # how each target was set up, in words
    seed: int | None = None  # of the order of the runs; None: written by a lab that did not know this member
    # By the key of a cell in closed loop: its rate, which fixed rates are parts of.
    capacities: dict[str, float] = field(default_factory=dict)

    # What raw.ndjson, which need not be there, has of all runs. Written when the result is saved.
    heads: dict[str, str] = field(default_factory=dict)  # that each target answered with
    commands: Commands = field(default_factory=Commands)

    def with_summary(self) -> Result:
        """With what is known of the raw output of its runs."""
        heads = {run.cell.target: run.response_head for run in self.runs if run.response_head}
        return dataclasses.replace(self, heads=self.heads | heads, commands=self.commands.and_of(self.runs))

    def save(self, path: Path) -> None:
        """The header is written last: without it there is no result."""
        runs = [stored.sparse(one.with_state()) for one in self.runs]
        stored.write_lines([_without_raw(one) for one in runs], path.with_name(RUNS))
        stored.write_lines([_raw_of(one) for one in runs], path.with_name(RAW))
        header = dataclasses.asdict(dataclasses.replace(self.with_summary(), runs=[]))
        del header["runs"]
        stored.write_json(header, path)

    @staticmethod
    def load(path: Path) -> Result:
        """Raises OSError, and ValueError for a file that is not a result of this schema."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if data["schema"] not in (SCHEMA, WITH_RUNS):
                raise ValueError(f"schema {data['schema']}, and this lab reads schemas {WITH_RUNS} and {SCHEMA}")
            if data["schema"] == SCHEMA:
                data["runs"] = _read_runs(path)
            return stored.made(Result, data | {"schema": SCHEMA})
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is no result of an experiment: {error}") from error


def _once(commands: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for one in filter(None, commands):
        found.setdefault(PASSING.sub("", one), one)
    return list(found.values())


def _without_raw(run: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in run.items() if name not in OF_RAW}
    if trust := kept.get("trust"):
        kept["trust"] = {name: value for name, value in trust.items() if name not in OF_RAW_TRUST}
    return kept


def _raw_of(run: dict[str, Any]) -> dict[str, Any]:
    found = {name: run[name] for name in OF_RAW if name in run}
    trust = {name: value for name, value in (run.get("trust") or {}).items() if name in OF_RAW_TRUST}
    return found | ({"trust": trust} if trust else {})


def _read_runs(path: Path) -> list[dict[str, Any]]:
    """With their raw output, if that is there."""
    try:
        runs = stored.read_lines(path.with_name(RUNS))
    except FileNotFoundError:
        raise ValueError(f"its runs are missing ({RUNS} beside it)") from None
    raw = stored.read_lines(path.with_name(RAW)) if path.with_name(RAW).exists() else []
    raw += [{}] * (len(runs) - len(raw))
    return [_with_raw(run, more) for run, more in zip(runs, raw, strict=False)]


def _with_raw(run: dict[str, Any], raw: dict[str, Any]) -> dict[str, Any]:
    trust = run.get("trust", {}) | raw.get("trust", {})
    return run | raw | ({"trust": trust} if trust else {})
