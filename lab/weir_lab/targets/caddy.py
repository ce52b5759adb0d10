"""caddy: Go's HTTP server, with a goroutine for each connection."""

from pathlib import Path

from weir_lab.core import built
from weir_lab.core.scenario import Scenario
from weir_lab.core.serving import CODING, HASH, LEVEL, USER
from weir_lab.core.target import ServerSetup
from weir_lab.targets.built_peer import of_module
from weir_lab.targets.peer import DebianProgram, Peer, configure, connections_max, needs_no_handler, substituted
from weir_lab.targets.ways import KINDS, SEPARATOR, Ways

CADDY = DebianProgram("caddy", "caddy", "version")

CONFIGURATION = """\
{
	admin off
	auto_https off
	storage file_system $scratch
	log {
		output discard
	}
	servers {
		protocols $protocols
	}
}

$address {
	bind 127.0.0.1
	header -Server
	$tls
	$serving
}
"""

FILES = """\
root * $site
	file_server $beside
	header Content-Type $type
	header X-Content-Type-Options nosniff
	$more"""
# It adds the fields X-Forwarded-For, -Host and -Proto by itself. Its default keeps 32 idle connections.
PASSING_ON = """\
reverse_proxy 127.0.0.1:$port {
		transport http {
			keepalive_idle_conns_per_host $connections
		}
	}"""

WAYS = Ways(
    settings={
        "gogc-100": {"gogc": "100"},
        "gogc-400": {"gogc": "400"},
    },  # 100: Go's own default; 400 trades memory for time
    best=dict.fromkeys(KINDS, "gogc-400"),
)


COMPRESSES = ("anew", "kept")


class OfModules:
    """The newest caddy: lab/peers/caddy, built by Go's modules."""

    def path(self) -> str:
        return str(built.native("caddy/caddy-peer"))

    def needs(self) -> tuple[str, ...]:
        return ("caddy-go",)

    def missing(self) -> str | None:
        return built.not_built(Path(self.path()), "./run lab run EXPERIMENT builds it if the experiment names caddy-go")

    def version(self) -> str:
        return of_module("caddy", "github.com/caddyserver/caddy/v2")().removeprefix("caddy ")


class Caddy(Peer):
    def __init__(self, way: str = "", name: str = "caddy", program: DebianProgram | OfModules = CADDY) -> None:
        self.name = name + (SEPARATOR + way if way else "")
        self.program = program
        self.summary = (
            "caddy, GOMAXPROCS as workers; no access log, no administration. A Go program starts more threads than "
            f"that. It is {WAYS.words(way)}. Head: weir's fields"
        )
        self._way = way

    def version(self) -> str:
        return f"caddy {self.program.version()}"

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        """To HEAD it answers with the length of compressed nothing (caddy 2.6)."""
        return ("head",) if scenario.compressed in COMPRESSES else ()

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        has_all = self.program is CADDY
        needs_no_handler(self.name, scenario, speaks_all=has_all, is_set_up_to_serve=has_all, is_proxy=has_all)
        files = setup.certificate
        configuration = configure(
            setup.scratch / "Caddyfile",
            CONFIGURATION,
            scratch=setup.scratch,
            address=f"{'https://127.0.0.1' if scenario.tls else 'http://'}:{setup.port}",
            protocols="h1" + (" h2" if scenario.tls else " h2c") * scenario.http2,
            tls=f"tls {files.chain} {files.key} {{\n\t\tprotocols tls1.3\n\t}}" if scenario.tls else "",
            serving=_serving(scenario, setup),
        )
        gogc = WAYS.settings[WAYS.name(scenario, self._way)]["gogc"]
        homes = [f"{name}={setup.scratch}" for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")]
        program = [str(self.program.path()), "run", "--adapter", "caddyfile", "--config", str(configuration)]
        return ["env", f"GOMAXPROCS={setup.workers}", f"GOGC={gogc}", *homes, *program]


def _serving(scenario: Scenario, setup: ServerSetup) -> str:
    if scenario.proxied:
        return substituted(PASSING_ON, port=setup.other_port, connections=connections_max(setup))
    return substituted(
        FILES,
        site=setup.site,
        beside=f"{{\n\t\tprecompressed {CODING}\n\t}}" if scenario.compressed == "beside" else "",
        type='"text/plain; charset=utf-8"' if scenario.is_compressed else "application/octet-stream",
        more=_more(scenario),
    )


def _more(scenario: Scenario) -> str:
    """It keeps no compressed content, but remembers passwords that were right."""
    if scenario.password:
        return f"basicauth {{\n\t\t{USER} {HASH}\n\t}}"
    return f"encode {{\n\t\t{CODING} {LEVEL}\n\t}}" if scenario.compressed in COMPRESSES else ""
