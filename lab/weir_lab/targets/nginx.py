"""nginx, with the number of workers in its name: that is how people speak of it."""

from __future__ import annotations

import os

from weir_lab.scenario import Scenario
from weir_lab.targets.peer import KEEP_ALIVE_SECONDS, OTHER_DESCRIPTORS, DebianProgram, configure, connections_max, needs_no_handler
from weir_lab.targets.target import Ground

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
}

http {
    access_log off;
    server_tokens off;
    default_type application/octet-stream;
    add_header X-Content-Type-Options nosniff;

    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    open_file_cache max=1000 inactive=60s;

    keepalive_timeout $keep_alive;
    keepalive_requests 1000000000;

    client_body_temp_path $scratch/body;
    proxy_temp_path $scratch/proxy;
    fastcgi_temp_path $scratch/fastcgi;
    uwsgi_temp_path $scratch/uwsgi;
    scgi_temp_path $scratch/scgi;

    server {
        listen 127.0.0.1:$port reuseport backlog=4096;
        root $site;
    }
}
"""


class Nginx:
    def __init__(self, workers: int) -> None:
        self.name = f"nginx-{workers}"
        self.summary = (f"nginx, {workers} worker{'s' if workers > 1 else ''}; open_file_cache, sendfile, reuseport, no access log. "
                        "Head: weir's fields, and Server and Connection, which it can't be told to leave out")
        self._workers = workers

    def missing(self) -> str | None:
        return NGINX.missing()

    def version(self) -> str:
        return NGINX.version()

    def workers(self, wanted: int) -> int:
        return self._workers

    def command(self, scenario: Scenario, ground: Ground) -> list[str]:
        needs_no_handler(self.name, scenario)
        connections = connections_max(ground) * 5 // 4  # where fewer than a 16th are free, it closes the silent ones
        configuration = configure(
            ground.scratch / "nginx.conf", CONFIGURATION,
            # Workers of root's would else run as somebody who may not enter the folders.
            user="user root;" if os.geteuid() == 0 else "",
            scratch=ground.scratch, site=ground.site, port=ground.port, workers=self._workers,
            connections=connections, descriptors=connections + OTHER_DESCRIPTORS, keep_alive=KEEP_ALIVE_SECONDS)
        # -e: it opens its log before it has read where that is.
        return [NGINX.path(), "-e", str(ground.scratch / "error.log"), "-p", str(ground.scratch), "-c", str(configuration)]
