"""The judgement: refuses a run that cannot be true, in words, and never averages it in."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir_lab.core.load import Load
from weir_lab.core.result import Run
from weir_lab.core.scenario import Scenario
from weir_lab.counting import clients
from weir_lab.verify import judgement
from weir_lab.verify.comparisons import Claim

GENERATOR_LIMIT = 0.95  # of its cores: above that it measures itself
SERVER_AT_WORK = 0.90  # of its cores: then the server is the limit, however busy the generator is
LITTLE_TOLERANCE = 0.25
BYTES_TOLERANCE = 0.0005  # 2,000 published runs differ by nothing at all
COMPRESSED_TOLERANCE = 0.02  # of answers that may come in more chunks or fewer
OTHERS_MAX = 0.15  # of one core, by processes that are neither the server nor the generator nor the lab
CLIENTS_TOLERANCE = 0.02  # the lab looks now and then, and the kernel gives its list in pieces
PORTS_MAX = 0.9  # of the client ports


@dataclass(frozen=True)
class Circumstances:
    """What the judgement needs besides the run itself."""

    scenario: Scenario
    server_cores: int
    generator_cores: int
    head_bytes: int  # of an answer; 0 over HTTP/2
    wire_bytes: float | None = None  # of a compressed answer, or with TLS and HTTP/2; None: the kernel does not count
    sent_bytes: int | None = None  # of the content of an answer, as it is sent; None: those of the scenario
    background: int = 0  # connections beside the traffic, which should stay open all the time
    background_lost: int = 0
    ports: int = 0  # for clients
    time_wait: int = 0  # the client ports that cannot be used again yet
    server_ended: bool = False
    shares_cores: bool = False  # server and generator have the same cores
    other_server_cores: int = 0  # of its own, if the server is a proxy; 0: it shares those of the generator
    asked_seconds: float | None = None  # of the generator
    start_up_seconds: float = 0.0
    bytes_tolerance: float = BYTES_TOLERANCE  # more if the generator rounds what it prints

    @property
    def answer_bytes(self) -> float:
        """As the kernel counts them. 0: not known."""
        if self.scenario.tls or self.scenario.http2 or self.scenario.is_compressed:
            return self.wire_bytes or 0.0
        return self.head_bytes + self.scenario.body_bytes


def reasons(run: Run, around: Circumstances) -> list[str]:
    """Why the run does not count. Empty if it does."""
    return list(_reasons(run, around))


def limit(run: Run, around: Circumstances) -> str:
    """Why its rate and latency say nothing about the server: the generator was the limit. The cost of a request to the
    server is still true. On few cores some work (a connection for each request) costs any generator more than a
    good server."""
    if run.load is None or run.server is None or run.load.requests == 0:
        return ""
    return _generator(run, around) or _other_server(run, around) or _in_hand(run, around)


def _reasons(run: Run, around: Circumstances) -> Iterator[str]:
    if around.server_ended:
        yield "the server ended during the run"
    if run.load is None or run.server is None:
        return
    if run.load.requests == 0:
        yield "no request was answered"
        return
    for judge in (
        _errors,
        _connections,
        _negotiated,
        _handshakes,
        _bytes,
        _little,
        _rate,
        _ports,
        _others,
        _background,
    ):
        if words := judge(run, around):
            yield words
    if run.trust:
        yield from judgement.reasons(run.trust, _claim(run, around))


def _claim(run: Run, around: Circumstances) -> Claim:
    assert run.load
    return Claim(
        run.load,
        run.cell.connections,
        around.scenario.keep_alive,
        around.head_bytes + (around.scenario.body_bytes if around.sent_bytes is None else around.sent_bytes),
        around.asked_seconds,
        around.start_up_seconds,
    )


def _errors(run: Run, _: Circumstances) -> str:
    assert run.load
    return ", ".join(f"{count:,} {kind} errors" for kind, count in run.load.errors.items() if count > 0)


def _connections(run: Run, around: Circumstances) -> str:
    """By the count of the kernel in the middle of the run, or by that of the generator. With Connection: close the
    server has few of them at a time, so the sockets of the clients count."""
    assert run.load and run.server
    asked = run.cell.connections
    if not around.scenario.keep_alive:
        seen = run.server.clients_at_once
        if seen is None or run.load.seconds < clients.SECONDS_TO_LOOK or seen >= asked * (1 - CLIENTS_TOLERANCE):
            return ""
        return f"the generator had {seen:,} connections under way at once, of {asked:,}"
    if run.load.connections is not None and run.load.connections < asked:
        return f"the generator opened {run.load.connections:,} connections of {asked:,}"
    if run.server.established is not None and run.server.established < asked + around.background:
        return f"{run.server.established:,} connections of {asked + around.background:,} were open"
    return ""


def _negotiated(run: Run, around: Circumstances) -> str:
    """By the generator, which sees each connection. One of plain HTTP/1.1 need not say it."""
    assert run.load
    said, wanted = run.load.negotiated, around.scenario.negotiated
    if not said and (around.scenario.tls or around.scenario.http2):
        return f"the generator does not say what it spoke, and {wanted} was asked for"
    return f"the generator spoke {said}, not {wanted}" if said and said != wanted else ""


def _handshakes(run: Run, around: Circumstances) -> str:
    """Of a connection for each request. The first on each of the generator's places has no session to resume."""
    assert run.load
    if not around.scenario.tls or around.scenario.keep_alive:
        return ""
    resumed = run.load.resumed
    if resumed is None:
        return "the generator does not say which handshakes were resumed"
    if around.scenario.resumed and run.load.requests - resumed > run.cell.connections:
        return f"only {resumed:,} of {run.load.requests:,} handshakes were resumed"
    if not around.scenario.resumed and resumed > 0:
        return f"{resumed:,} of {run.load.requests:,} handshakes were resumed, and none should be"
    return ""


def _bytes(run: Run, around: Circumstances) -> str:
    """Answers under way at the end may count as bytes but not as requests."""
    assert run.load
    received = run.load.bytes_received
    each, tolerance = _each(run.load, around)
    if received is None or each == 0:
        return ""
    expected = run.load.requests * each
    under_way = run.cell.connections * around.scenario.pipeline * each
    if expected * (1 - tolerance) <= received <= expected * (1 + tolerance) + under_way:
        return ""
    return f"{received:,} bytes came, but {run.load.requests:,} answers have {expected:,.0f}"


def _each(load: Load, around: Circumstances) -> tuple[float, float]:
    """The bytes of an answer, as the generator counts them (0: not known), and how far their sum may be off."""
    if around.scenario.is_compressed:  # in chunks, whose number may differ
        return around.answer_bytes, max(around.bytes_tolerance, COMPRESSED_TOLERANCE)
    return around.scenario.body_bytes + (0 if load.bytes_are_bodies else around.head_bytes), around.bytes_tolerance


def _little(run: Run, around: Circumstances) -> str:
    """Little's law: requests under way = rate x time of each. A closed loop has at most one on each connection. For too
    few see limit()."""
    under_way = _under_way(run, around)
    if under_way is None or under_way <= run.cell.connections * (1 + LITTLE_TOLERANCE):
        return ""
    assert run.load and run.load.latency.mean
    return (
        f"Little's law is broken: {run.load.rate:,.0f}/s x {run.load.latency.mean * 1e3:.3f} ms is {under_way:,.1f} "
        f"requests under way, on {run.cell.connections:,} connections"
    )


def _in_hand(run: Run, around: Circumstances) -> str:
    """A request that is not under way is in the generator, between an answer and the next request. No clock runs
    meanwhile, so the latency looks too good, and the rate is that of the generator unless the server is busy all the
    time. With Connection: close the generator has to connect first, and many requests may be in it."""
    under_way = _under_way(run, around)
    if (
        under_way is None
        or not around.scenario.keep_alive
        or under_way >= run.cell.connections * (1 - LITTLE_TOLERANCE)
    ):
        return ""
    if _is_server_at_work(run, around):
        return ""
    return (
        f"the load generator was the limit: only {under_way:,.1f} requests were under way on {run.cell.connections:,} "
        "connections"
    )


def _under_way(run: Run, around: Circumstances) -> float | None:
    """None if it cannot be known."""
    assert run.load
    if run.load.latency.mean is None or run.asked_rate is not None or around.scenario.pipeline > 1:
        return None
    return run.load.rate * run.load.latency.mean


def _is_server_at_work(run: Run, around: Circumstances) -> bool:
    """It uses all the time of its cores, or all that the generator leaves if they share them."""
    assert run.load and run.server
    beside = (run.generator_cpu_seconds or 0.0) + (run.other_server_cpu_seconds or 0.0)
    left = around.server_cores * run.load.seconds - (beside if around.shares_cores else 0.0)
    return run.server.cpu_seconds >= SERVER_AT_WORK * left


def _rate(run: Run, _: Circumstances) -> str:
    """A rate that all targets of a row are asked for is too much for some of them, and that is a finding."""
    assert run.load
    if run.cell.rate is not None or not run.is_short_of_rate:
        return ""
    return f"{run.load.rate:,.0f} requests/s came, and {run.asked_rate:,.0f} were asked for"


def _generator(run: Run, around: Circumstances) -> str:
    assert run.load and run.server
    if run.generator_cpu_seconds is None or run.load.seconds <= 0:
        return ""
    sampled = run.trust.sampled if run.trust else None  # it takes its CPU from the generator's cores
    other_seconds = 0.0 if around.other_server_cores else run.other_server_cpu_seconds or 0.0
    generator_seconds = run.generator_cpu_seconds + other_seconds + (sampled.cpu_seconds if sampled else 0.0)
    generator = generator_seconds / run.load.seconds / around.generator_cores
    server = run.server.cpu_seconds / run.load.seconds / around.server_cores
    if generator < GENERATOR_LIMIT or _is_server_at_work(run, around):
        return ""
    words = f"{generator:.0%} of its cores; the server used {server:.0%} of its own"
    if other_seconds:
        return f"the load generator, with the other server on its cores, was the limit ({words})"
    return f"the load generator was the limit ({words})"


def _other_server(run: Run, around: Circumstances) -> str:
    """On cores of its own."""
    if run.load is None or not around.other_server_cores or _is_server_at_work(run, around):
        return ""
    used = (run.other_server_cpu_seconds or 0.0) / run.load.seconds / around.other_server_cores
    if used < GENERATOR_LIMIT:
        return ""
    return f"the other server was the limit ({used:.0%} of its cores)"


def _ports(_: Run, around: Circumstances) -> str:
    if around.time_wait < around.ports * PORTS_MAX:
        return ""
    return f"ports ran out: {around.time_wait:,} of {around.ports:,} were in TIME_WAIT"


def _others(run: Run, _: Circumstances) -> str:
    """Other programs do not matter to a traced run: it counts calls and gives no times."""
    assert run.load
    if run.other_cpu_seconds is None or run.load.seconds <= 0 or run.traced:
        return ""
    others = run.other_cpu_seconds / run.load.seconds
    if others <= OTHERS_MAX:
        return ""
    who = judgement.culprit(run.trust) if run.trust else ""
    return f"the machine was disturbed: other programs used {others:.0%} of one core{who}"


def _background(_: Run, around: Circumstances) -> str:
    return (
        f"{around.background_lost:,} of the {around.background:,} background connections were lost"
        if around.background_lost > 0
        else ""
    )
