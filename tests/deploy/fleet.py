"""Three weirs, a balancer and clients, each on a host of its own: network namespaces, joined by virtual cables."""

import hashlib
import os
import re
import signal
import sys
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from ipaddress import ip_address

from balancer import Balancer
from load import Load, questions
from served import PATIENCE_SECONDS, SOURCE, processes, run, state_of, wait_until

sys.path += [str(SOURCE / "lab"), str(SOURCE / "lab" / "tests")]
from namespaces import hosts  # noqa: E402
from supervised import SERVES  # noqa: E402
from versions import Versions  # noqa: E402
from weir_lab.network.namespaces import inside  # noqa: E402

NODES = 3
MANIFEST = "SHA256SUMS"
FILES = {"/": b"weir\n" * 200, "/page.css": b"p { color: teal }\n" * 2000, "/large.bin": bytes(range(256)) * 4200}  # above 1 MB
NAMES = {"/": "index.html", "/page.css": "page.css", "/large.bin": "large.bin"}
HUGE = bytes(range(256)) * (1 << 18)  # 64 MB: more than the buffers of all sockets on its way


@contextmanager
def on(host):
    """Connections that the calling thread makes begin at that host."""
    network = os.open(f"/run/netns/{host.name}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        with inside(network):
            yield
    finally:
        os.close(network)


class Node:
    """A weir under a supervisor, on a host of its own, with a copy of the site that has times of its own."""

    def __init__(self, case, number, host):
        self.case, self.host = case, host
        self.folder = case.folder / str(number)
        self.site = self.folder / "site"
        self.site.mkdir(parents=True)
        self.control = f"unix:{self.folder}/control"
        self.log = self.folder / "access.log"
        for path, content in FILES.items():
            (self.site / NAMES[path]).write_bytes(content)
            os.utime(self.site / NAMES[path], (1_700_000_000 + number, 1_700_000_000 + number))
        os.link(case.huge, self.site / "huge.bin")
        large = hashlib.sha256(FILES["/large.bin"]).hexdigest()
        (self.site / MANIFEST).write_text(f"{large}  large.bin\n", encoding="ascii")
        os.utime(self.site / MANIFEST, (1_700_001_000, 1_700_001_000))

    def start(self):
        # The other end of the cable is the balancer's.
        self.server = self.case.start(
            "serve", self.site, "--engine", self.case.engine, "--bind", f"{self.host.address}:8000", "--admin", f"{self.host.address}:9100",
            "--proxy-protocol", ip_address(self.host.address) - 1, "--drain-delay", "2s", "--stop-timeout", "1m", "--etag", "content", "--etag-manifest", MANIFEST,
            "--access-log", self.log, "--access-log-format", "json", "--control", self.control, prefix=self.host.within)
        self.server.wait_for_banner()
        return self

    def restart(self):
        self.case.end(self.server)
        self.start()

    def upgrade(self):
        status, said, errors = run("upgrade", "--control", self.control)
        self.case.assertEqual((status, errors), (0, ""))
        self.case.assertIn(" -> ", said)

    def versions(self):
        """Of the generation that serves, and of the supervisor."""
        return {line.rpartition(" weir ")[2] for line in run("status", "--control", self.control)[1].splitlines() if " weir " in line}

    def kill(self):
        """All processes at once, as a machine ends."""
        for pid in list(processes(self.server.process.pid)):
            os.kill(pid, signal.SIGKILL)
        self.server.wait()

    def freeze(self):
        """All processes, as a machine hangs."""
        self.stop_all(list(processes(self.server.process.pid)))

    def freeze_the_serving_process(self):
        """The process that serves alone: /readyz goes on to answer."""
        status = run("status", "--control", self.control)[1]
        self.stop_all([int(re.search(SERVES, status)[1])])

    def stop_all(self, pids):
        self.frozen = pids
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: all(state_of(pid) == "T" for pid in pids))

    def thaw(self):
        for pid in self.frozen:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


class Fleet(Versions):
    """A load runs while `self.load()` does."""

    def setUp(self):
        super().setUp()
        self.huge = self.folder / "huge.bin"
        self.huge.write_bytes(HUGE)
        ends = ExitStack()
        self.addCleanup(ends.close)
        balancer, (*nodes, self.clients) = ends.enter_context(hosts(NODES + 1))
        self.nodes = [Node(self, number, host).start() for number, host in enumerate(nodes)]
        self.balancer = Balancer(balancer, [node.host.address for node in self.nodes], self.folder)
        self.addCleanup(self.balancer.stop)
        self.balancer.wait_until_it_uses_all()
        self.tags = self.tags_of_all()

    def load(self, **added):
        asked = questions({path: (content, self.tags[path]) for path, content in FILES.items()})
        return Load(self.balancer.host.address, asked, lambda: on(self.clients), **added)

    def begin_download(self):
        """A download of which a little has been read, and the node that sends it."""
        connection = HTTPConnection(self.balancer.host.address, 8000, timeout=PATIENCE_SECONDS)
        self.addCleanup(connection.close)
        with on(self.clients):
            connection.connect()
        connection.request("GET", "/huge.bin")
        response = connection.getresponse()
        self.assertEqual((response.status, response.read(1000)), (200, HUGE[:1000]))
        wait_until(lambda: sum(self.balancer.at_work()) == 1)
        return response, self.nodes[self.balancer.at_work().index(1)]

    def tag_of(self, node, path):
        """As the balancer would get it."""
        connection = HTTPConnection(node.host.address, 8000, timeout=PATIENCE_SECONDS)
        with closing(connection), on(self.balancer.host):
            connection.connect()
            connection.sock.sendall(b"PROXY UNKNOWN\r\n")
            connection.request("HEAD", path)
            return connection.getresponse().headers["ETag"]

    def tags_of_all(self):
        """{path: tag}: the one that all nodes have."""
        found = {path: {self.tag_of(node, path) for node in self.nodes} for path in FILES}
        self.assertEqual({len(tags) for tags in found.values()}, {1}, found)
        return {path: tags.pop() for path, tags in found.items()}

    def report(self, load):
        print(f"{self.id().partition('.')[2]}: {sum(load.answered)} answers, {len(load.lost)} lost, {load.repeated} asked again")
