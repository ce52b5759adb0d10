"""What the lab itself found out about a server and a generator. It is kept in the Run, for anybody to look at."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Validated:
    """The conversation before the run."""

    asked: list[str] = field(default_factory=list)  # the questions, in the order in which they were asked
    not_asked: list[str] = field(default_factory=list)  # the target declares that it cannot answer these
    head_bytes: int = 0  # of the answer that the generator asks for
    body_bytes: int = 0
    sha256: str = ""  # of the content
    seconds: float = 0.0
    answer_seconds: float | None = None  # the shortest time of one answer, one request at a time
    wire_bytes: float | None = None  # of one answer if it is compressed, or over TLS or HTTP/2, by the kernel
    negotiated: str = ""  # the version and the cipher of TLS


@dataclass(frozen=True)
class Sampled:
    """The lab's own requests during the run."""

    answers: int = 0  # whole ones, right or wrong. The server's CPU was spent on these too.
    wrong: dict[str, int] = field(default_factory=dict)  # by what was wrong with them, in words
    new_connections: int = 0  # answers that were asked for on a connection of their own
    unfinished: int = 0  # still under way at the end of the run
    connections: int = 0  # that it opened in all
    cpu_seconds: float = 0.0  # of the lab, not of the generator
    why_not: str = ""  # if it did not look at all


@dataclass(frozen=True)
class Counted:
    """Counts that are not the generator's: the kernel's, and the lab's clock. None: not known."""

    wall_seconds: float | None = None  # from before the generator started until after its end
    accepts: int | None = None  # connections that the server accepted meanwhile, the lab's own included
    octets: int | None = None  # of all packets of the run's own network, in both directions


@dataclass(frozen=True)
class Worker:
    """A process that is neither of the server nor of the generator nor of the lab."""

    pid: int
    name: str
    cpu_seconds: float
    link: str = ""  # how it is connected with the server: "a unix socket", "a pipe", "a TCP connection"; empty: not


@dataclass(frozen=True)
class Trust:
    validated: Validated | None = None
    sampled: Sampled | None = None
    counted: Counted | None = None
    outsiders: list[Worker] = field(default_factory=list)  # the busiest during the run, first
    engine: str = ""  # that the server itself named
    strangers: list[str] = field(default_factory=list)  # processes that hold its port but are not of its family

    @property
    def sampled_answers(self) -> int:
        return self.sampled.answers if self.sampled else 0
