"""Tests read the pages of --admin with this module."""

import re
import socket
from http.client import HTTPConnection
from pathlib import Path

from served import PATIENCE_SECONDS, is_running, processes, text_of, wait_until
from supervised import Supervised

KEPT_UNDER = ("per-core", "prefork", "thread-pool")

SAMPLE = re.compile(r'([a-z_]+)(?:\{(.*)\})? (\S+)')
LABEL = re.compile(r'([a-z_]+)="([^"]*)"')


class UnixConnection(HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE_SECONDS)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def ask(place, path, **fields):
    connection = UnixConnection(place)
    try:
        connection.request("GET", path, headers=fields)
        response = connection.getresponse()
        return response.status, response.read().decode("utf-8"), response
    finally:
        connection.close()


def name_of(pid):
    return text_of(Path(f"/proc/{pid}/comm")).strip()


def processes_of_pages(server):
    return [pid for pid in processes(server.process.pid) if name_of(pid) == "weir-admin"]


def left_behind(server):
    """The processes that have ended, and that nobody has looked for."""
    return [pid for pid in processes(server.process.pid) if text_of(Path(f"/proc/{pid}/stat")).rpartition(")")[2].startswith(" Z ")]


def wait_for_one_process(server):
    wait_until(lambda: len(processes_of_pages(server)) == 1)


def wait_for_the_next(server, before):
    """Until the processes `before` have ended, they may still answer, also where their generation is no longer their parent's parent."""
    wait_until(lambda: set(processes_of_pages(server)) - set(before) and not any(map(is_running, before)))


def samples(text):
    """{(name, {label: value}): number}, labels as a frozen set of pairs."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, value = SAMPLE.fullmatch(line).groups()
            found[name, frozenset(LABEL.findall(labels or ""))] = float(value)
    return found


def requests(found, code):
    return sum(
        value
        for (name, labels), value in found.items()
        if name == "http_server_request_duration_seconds_count" and ("http_response_status_code", str(code)) in labels
    )


class AdminTest(Supervised):
    def setUp(self):
        super().setUp()
        self.admin = str(self.folder / "admin")

    def get(self, path, **fields):
        return ask(self.admin, path, **fields)

    def reload_to_the_next(self, server):
        """What reload() says, once the pages are those of the new generation alone."""
        before = processes_of_pages(server)
        said = self.reload()
        wait_for_the_next(server, before)
        return said

    def figures(self):
        return samples(self.get("/metrics")[1])

    def wait_for_delays(self, count):
        name = ("weir_loop_delay_seconds_count", frozenset())
        wait_until(lambda: self.figures().get(name, 0) >= count)

    def figure(self, name):
        return self.figures()[name, frozenset()]
