"""How a server of one's own is started and asked, where that differs from the lab's own targets."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from weir_lab.clients.transport import PLAIN, Transport
from weir_lab.core.scenario import Scenario
from weir_lab.core.target import Target
from weir_lab.network import namespaces
from weir_lab.network.namespaces import Network
from weir_lab.user_targets.members import Family, Members
from weir_lab.user_targets.target import OwnTarget


@dataclass(frozen=True)
class Start:
    members: Members = field(default_factory=Family)
    ready: str = ""  # a path that answers, or a text in a line of its output
    method: str = "GET"
    request_bytes: int = 0
    fields: tuple[str, ...] = ()  # more of the request
    transport: Transport = PLAIN


def start_of(target: Target, scenario: Scenario, port: int, transport: Transport = PLAIN) -> Start:
    """Raises CannotServe."""
    request = Start(
        method=scenario.method, request_bytes=scenario.request_bytes, fields=scenario.fields, transport=transport
    )
    if not isinstance(target, OwnTarget):
        return request
    return replace(request, members=target.members(port), ready=target.ready)


@contextmanager
def network_of(target: Target) -> Iterator[Network]:
    """A namespace of its own, unless the server needs the machine's network."""
    if isinstance(target, OwnTarget) and target.network == "machine":
        yield Network("the experiment asks for that")
        return
    with namespaces.private() as network:
        yield network


def asked_of(target: Target, scenario: Scenario) -> Scenario:
    """The scenario as this target is asked for it."""
    return target.scenario(scenario) if isinstance(target, OwnTarget) else scenario
