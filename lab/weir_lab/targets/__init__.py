"""The table of all targets, by name."""

from weir_lab.core.target import AGAIN, OTHER, Target
from weir_lab.targets import caddy, h2o, hyper, lighttpd, nginx, weir
from weir_lab.targets.built_peer import PEERS_TO_BUILD
from weir_lab.targets.caddy import Caddy, OfModules
from weir_lab.targets.floor import Floor
from weir_lab.targets.h2o import H2o
from weir_lab.targets.haproxy import Haproxy
from weir_lab.targets.hyper import WITH_RUSTLS, Hyper
from weir_lab.targets.lighttpd import Lighttpd
from weir_lab.targets.may import May
from weir_lab.targets.nginx import Nginx
from weir_lab.targets.program import PROGRAMS, Program

OTHERS: tuple[Target, ...] = (
    Floor("epoll"),
    Floor("io-uring"),
    Floor("close"),
    Floor("sendfile"),
    Nginx(1),
    Nginx(4),
    H2o(),
    Lighttpd(),
    Caddy(),
    Haproxy(),
    Hyper(),
    May(),
)

# Built or installed only when an experiment names them.
TO_BUILD: tuple[Target, ...] = (
    *PEERS_TO_BUILD,
    *PROGRAMS,
    Caddy(name="caddy-go", program=OfModules()),
    Hyper(program=WITH_RUSTLS),
)

# Peers with one fixed way for all work, for the experiment `peer-settings`.
VARIANTS: tuple[Target, ...] = (
    *(Nginx(workers, way) for workers in (1, 4) for way in nginx.WAYS.settings),
    *(H2o(way) for way in h2o.WAYS.settings),
    *(Lighttpd(way) for way in lighttpd.WAYS.settings),
    *(Caddy(way) for way in caddy.WAYS.settings),
    *(Hyper(way) for way in hyper.WAYS.settings),
)


# Those that the experiment's file brings (user_targets/).
BROUGHT: dict[str, Target] = {}


class UnknownTarget(Exception):
    """The message lists the names that exist."""


def names() -> list[str]:
    """With weir's engines if weir is built."""
    return [f"weir/{engine.name}" for engine in weir.engines()] + [target.name for target in OTHERS] + list(BROUGHT)


def names_to_build() -> list[str]:
    return [target.name for target in TO_BUILD]


def variants() -> list[str]:
    return [target.name for target in VARIANTS]


def find(name: str) -> Target:
    """The control of an experiment is a target of its own, and the same program."""
    name = name.removesuffix(AGAIN)
    kind, _, engine = name.partition("/")
    # Until weir is built, any engine is accepted here, and missing() reports it.
    if kind == "weir" and engine and (weir.engine_of(name) in names() or not weir.engines()):
        return weir.Weir(engine)
    if kind == "program" and engine and (weir.engine_of(f"weir/{engine}") in names() or not weir.engines()):
        return Program(engine)
    if kind == f"{OTHER}weir" and engine:
        return weir.OtherWeir(engine)
    for target in (*BROUGHT.values(), *OTHERS, *TO_BUILD, *VARIANTS):
        if target.name == name:
            return target
    raise UnknownTarget(f"there is no target '{name}'; there are {', '.join([*names(), *names_to_build()])}")
