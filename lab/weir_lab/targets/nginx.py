"""nginx, with the number of workers in its name, as people usually quote it."""

import os

from weir_lab.core.scenario import Scenario
from weir_lab.core.serving import LEVEL
from weir_lab.core.target import ServerSetup
from weir_lab.targets.peer import (
    KEEP_ALIVE_SECONDS,
    OTHER_DESCRIPTORS,
    DebianProgram,
    Peer,
    buffer_bytes,
    configure,
    connections_max,
    needs_no_handler,
    substituted,
)
from weir_lab.targets.ways import SEPARATOR, Ways

NGINX = DebianProgram("nginx", "nginx-light", "-v")

CONFIGURATION = """\
daemon off;
$user
pid $scratch/nginx.pid;
error_log $scratch/error.log;
worker_processes $workers;
worker_rlimit_nofile $descriptors;

events {
    # Each worker must be able to hold all of them: the kernel doesn't deal them out evenly.
    worker_connections $connections;
    $events
}

http {
    access_log off;
    server_tokens off;
    $more

    tcp_nodelay on;
    $http

    keepalive_timeout $keep_alive;
    keepalive_requests 1000000000;

    client_body_temp_path $scratch/body;
    proxy_temp_path $scratch/proxy;
    fastcgi_temp_path $scratch/fastcgi;
    uwsgi_temp_path $scratch/uwsgi;
    scgi_temp_path $scratch/scgi;

    server {
        listen 127.0.0.1:$port$speaks reuseport backlog=4096;
        root $site;
        $tls
        $serving
    }
}
"""


CACHE = "open_file_cache max=1000 inactive=60s;"

# Sessions are resumed by tickets, which nginx has without a cache.
TLS = """\
ssl_certificate $chain;
        ssl_certificate_key $key;
        ssl_protocols TLSv1.3;
        ssl_session_tickets on;
"""

SNIFFING = "add_header X-Content-Type-Options nosniff;"
OCTETS = f"default_type application/octet-stream; {SNIFFING}"
TEXT = f"default_type text/plain; charset utf-8; {SNIFFING}"
COMPRESSING = {
    "anew": f"gzip on; gzip_comp_level {LEVEL}; gzip_types text/plain; gzip_vary on;",
    "beside": "gzip_static on; gzip_vary on;",
}
COMPRESSING["kept"] = COMPRESSING["anew"]  # it keeps nothing
# While the worker computes, it accepts nothing; then it accepts one connection and computes again, unless it is told to
# accept all that wait.
ACCEPTS_ALL = {"events": "multi_accept on;"}

# The other server gets the fields that weir and caddy add to each request. The default buffers hold 32 KB, and nginx
# writes the rest of an answer to a file.
PASSING_ON = """\
location / {
            proxy_pass http://other;
            proxy_buffer_size $buffer;
            proxy_buffers 8 $buffer;
            proxy_busy_buffers_size $busy;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $$http_host;
            proxy_set_header X-Forwarded-For $$remote_addr;
            proxy_set_header X-Forwarded-Host $$http_host;
            proxy_set_header X-Forwarded-Proto $$scheme;
        }"""
BUFFER_BYTES = 4096
UPSTREAM = "upstream other {{ server 127.0.0.1:{port}; keepalive {connections}; keepalive_requests 1000000000; }}"

WAYS = Ways(
    settings={
        "sendfile": {"http": f"sendfile on; tcp_nopush on; {CACHE}", "events": ""},
        "sendfile-at-once": {"http": f"sendfile on; tcp_nopush off; {CACHE}", "events": ""},
        "copy": {"http": f"sendfile off; tcp_nopush off; {CACHE}", "events": ""},
        "copy-128k": {"http": f"sendfile off; tcp_nopush off; output_buffers 1 128k; {CACHE}", "events": ""},
        "copy-uncached": {"http": "sendfile off; tcp_nopush off;", "events": ""},
        "copy-multi-accept": {"http": f"sendfile off; tcp_nopush off; {CACHE}", "events": "multi_accept on;"},
    },
    best={
        "keep-alive": "copy",
        "close": "copy",
        "pipelined": "sendfile",
        "file-100k": "sendfile-at-once",
        "file-1m": "sendfile-at-once",
        "file-10m": "sendfile",
    },
)


class Nginx(Peer):
    program = NGINX

    def __init__(self, workers: int, way: str = "") -> None:
        self.name = f"nginx-{workers}" + (SEPARATOR + way if way else "")
        self.summary = (
            f"nginx, {workers} worker{'s' if workers > 1 else ''}; open_file_cache, reuseport, no access log; "
            f"{WAYS.words(way)}. Head: weir's fields, and Server and Connection, which it can't leave out"
        )
        self._workers = workers
        self._way = way

    def workers(self, wanted: int) -> int:
        return self._workers

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        needs_no_handler(self.name, scenario, speaks_all=True, is_set_up_to_serve=True, is_proxy=True)
        connections = connections_max(setup) * 5 // 4  # if fewer than a 16th are free, it closes idle ones
        way = WAYS.name(scenario, self._way)
        configuration = configure(
            setup.scratch / f"nginx-{way}.conf",
            CONFIGURATION,
            **{**WAYS.settings[way]} | (ACCEPTS_ALL if scenario.is_compressed or scenario.password else {}),
            more=_more(scenario, setup),
            serving=_serving(scenario, setup),
            # Started by root, its workers would otherwise run as a user who may not read the folders.
            user="user root;" if os.geteuid() == 0 else "",
            scratch=setup.scratch,
            site=setup.site,
            port=setup.port,
            workers=self._workers,
            connections=connections,
            descriptors=connections + OTHER_DESCRIPTORS,
            keep_alive=KEEP_ALIVE_SECONDS,
            speaks=" ssl" * scenario.tls + " http2" * scenario.http2,
            tls=substituted(TLS, **vars(setup.certificate)) if scenario.tls else "",
        )
        # -e: it opens a log before it reads the configuration.
        log = setup.scratch / "error.log"
        return [NGINX.path(), "-e", str(log), "-p", str(setup.scratch), "-c", str(configuration)]


def _more(scenario: Scenario, setup: ServerSetup) -> str:
    """A proxy passes on the type of the other server, to which it keeps a connection for each client."""
    if scenario.proxied:
        return UPSTREAM.format(port=setup.other_port, connections=connections_max(setup))
    return TEXT if scenario.is_compressed else OCTETS


def _serving(scenario: Scenario, setup: ServerSetup) -> str:
    if scenario.proxied:
        buffer = buffer_bytes(scenario, BUFFER_BYTES)
        return substituted(PASSING_ON, buffer=buffer, busy=2 * buffer)
    compressing = COMPRESSING.get(scenario.compressed, "")
    asking = f"auth_basic lab; auth_basic_user_file {setup.users};" if scenario.password else ""
    return f"{compressing} {asking}".strip()
