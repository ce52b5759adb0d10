"""What a generator is asked for, and what it reports: one schema for all generators."""

from dataclasses import dataclass, field

from weir_lab.core.tls import Certificate


@dataclass(frozen=True)
class LoadPlan:
    """One run of a generator. A closed loop (as fast as answers come) unless `rate` is given."""

    url: str
    connections: int
    seconds: float | None  # None if `requests` says how many
    requests: int | None = None
    keep_alive: bool = True
    pipeline: int = 1  # requests sent together on a connection
    method: str = "GET"
    request_bytes: int = 0  # of content of each request
    fields: tuple[str, ...] = ()  # more of each request, as lines of its head
    rate: float | None = (
        None  # requests per second over all connections: an open loop, with latency from the intended start
    )
    threads: int = 1
    timeout_seconds: float = 10.0  # a later answer counts as lost
    body_bytes: int | None = None  # of each answer, if known: any other length is an error
    cores: tuple[int, ...] = ()  # where the generator may run; empty: anywhere
    http2: bool = False  # over TLS if the URL says so, otherwise with prior knowledge
    resumes: bool = False  # each connection resumes the session of an earlier one
    certificate: Certificate | None = None  # of the server, if the URL is one of HTTPS

    @property
    def tls(self) -> bool:
        return self.url.startswith("https:")

    @property
    def is_echo(self) -> bool:
        """Messages of `body_bytes` over WebSocket, each of which comes back."""
        return self.url.startswith("ws:")


@dataclass(frozen=True)
class Latency:
    """In seconds. None: the generator does not report it."""

    mean: float | None = None
    p50: float | None = None
    p90: float | None = None
    p99: float | None = None
    p999: float | None = None
    max: float | None = None


@dataclass(frozen=True)
class Load:
    """The outcome, as the generator counts it."""

    requests: int  # answered completely, with the expected status
    seconds: float
    bytes_received: int | None = None  # with heads, unless `bytes_are_bodies`
    bytes_are_bodies: bool = False
    latency: Latency = field(default_factory=Latency)
    # By kind: connect, read, write, timeout, status, body. There is no entry for a kind that did not occur.
    errors: dict[str, int] = field(default_factory=dict)
    connections: int | None = None  # that were open at once; None: the generator does not report it
    negotiated: str = ""  # version of TLS, cipher, and protocol; empty: the generator does not report it
    resumed: int | None = None  # handshakes, of as many as there are requests; None: the generator does not report it

    @property
    def rate(self) -> float:
        return self.requests / self.seconds if self.seconds > 0 else 0.0
