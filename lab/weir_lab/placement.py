"""Where the server and the generator of a run are."""

from __future__ import annotations

import os
from dataclasses import dataclass

from weir_lab.network.delays import Distance
from weir_lab.network.namespaces import SHARED, Network


@dataclass(frozen=True)
class Placement:
    """The cores of the server and those of the generator, and the network between them. They share all cores if there
    are too few."""

    server: tuple[int, ...]
    generator: tuple[int, ...]
    network: Network = SHARED
    distance: Distance | None = None

    def clients(self) -> Network:
        """Where the generator runs."""
        return self.distance.network if self.distance else self.network

    @staticmethod
    def of(workers: int) -> Placement:
        cores = tuple(sorted(os.sched_getaffinity(0)))
        if workers >= len(cores):
            return Placement(cores, cores)
        return Placement(cores[:workers], cores[workers:])

    def words(self) -> str:
        def names(cores: tuple[int, ...]) -> str:
            return ("core " if len(cores) == 1 else "cores ") + ", ".join(map(str, cores))

        if self.server == self.generator:
            return f"server and generator share {names(self.server)}"
        return f"server on {names(self.server)}, generator on {names(self.generator)}"
