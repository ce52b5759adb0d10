"""The network between the server and its clients: its kind, and how far away the clients are, by share."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["loopback", "mtu-1500", "veth"]


@dataclass(frozen=True)
class Clients:
    share: float  # of the connections; those of all kinds together are 1
    round_trip_seconds: float
    loss: float = 0.0  # of TCP segments
    bytes_per_second: int = 0  # in each direction; 0: no limit

    def words(self) -> str:
        loss = f", {self.loss:.1%} loss" if self.loss else ""
        limit = f", {self.bytes_per_second * 8 / 1e6:g} Mbit/s" if self.bytes_per_second else ""
        return f"{self.share:.0%} of the clients: {self.round_trip_seconds * 1e3:g} ms{loss}{limit}"
