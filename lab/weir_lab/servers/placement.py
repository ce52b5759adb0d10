"""Where the server and the generator of a run are."""

from __future__ import annotations

import os
from dataclasses import dataclass

from weir_lab.network.delays import Distance
from weir_lab.network.namespaces import SHARED, Network
from weir_lab.servers.other_server import OtherServer


@dataclass(frozen=True)
class Placement:
    """The cores of the server and those of the generator, and the network between them. They share all cores if there
    are too few. The other server behind a proxy shares those of the generator if it has none of its own."""

    server: tuple[int, ...]
    generator: tuple[int, ...]
    network: Network = SHARED
    distance: Distance | None = None
    other: tuple[int, ...] = ()  # cores of the other server; empty: there is none
    other_server: OtherServer | None = None

    def clients(self) -> Network:
        """Where the generator runs."""
        return self.distance.network if self.distance else self.network

    @staticmethod
    def of(workers: int, proxied: bool = False) -> Placement:
        cores = tuple(sorted(os.sched_getaffinity(0)))
        server, rest = (cores, cores) if workers >= len(cores) else (cores[:workers], cores[workers:])
        if not proxied:
            return Placement(server, rest)
        has_its_own = workers < len(cores) and len(rest) > 1
        return Placement(server, rest[has_its_own:], other=rest[:1] if has_its_own else rest)

    def words(self) -> str:
        def names(cores: tuple[int, ...]) -> str:
            return ("core " if len(cores) == 1 else "cores ") + ", ".join(map(str, cores))

        if self.server == self.generator:
            return f"server and generator share {names(self.server)}"
        words = f"server on {names(self.server)}, generator on {names(self.generator)}"
        return f"{words}; behind a proxy, the other server on {names(self.other)}" if self.other else words
