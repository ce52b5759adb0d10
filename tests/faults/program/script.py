"""What the server does in its life, in steps: each is what a client asks, and what must come of it."""

import gzip
import itertools
import os
import signal
import tempfile
from pathlib import Path

from client import Cut, Wrong, request
from life import until

LARGE = 3_000_000
LARGE_RANGE = (1_000_000, 2_000_000)
MANY = 5
AFTER_A_FAULT_SECONDS = 3  # that is waited for what a fault may have made impossible


def pattern(size, begin=0):
    return b"".join(b"%09d\n" % number for number in range(begin, begin + size // 10 + 1))[:size]


class Site:
    """The files that are served. Its root is made once and shared; what a life adds is below a folder of its own."""

    def __init__(self, root):
        self.root = root
        self.small, self.large = pattern(1_000), pattern(LARGE)
        self.page = b"<!doctype html><title>weir</title><p>Hello\n"
        self.script = b"'use strict';\n" * 200
        for name, content in {"small.txt": self.small, "large.bin": self.large, "page/index.html": self.page,
                              "app.js": self.script, "app.js.gz": gzip.compress(self.script), "folder/a.txt": b"a",
                              "folder/b.txt": b"b", "404.html": b"<p>missing\n"}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        for number in range(MANY):
            (root / f"many{number}.bin").write_bytes(self.many(number))

    @staticmethod
    def many(number):
        return pattern(120_000, number)


class Script:
    """The steps, for one life."""

    life = ("start", "stop")  # the steps that begin and end one
    tls = unwinds_slowly = False
    libraries = ()  # that weir must have been built with
    allocations_max = calls_max = None  # that fail in one step, evenly spread; None: all
    others_max = 40  # the same for what engines share, under engines other than the first
    no_allocations = ()  # the steps whose allocations do not fail

    @staticmethod
    def options(folder):
        """Those of its server; `folder` is the life's own."""
        return []

    def __init__(self, life, site):
        self.life, self.site = life, site
        self.own = Path(tempfile.mkdtemp(prefix="own", dir=site.root))  # a port may come again
        self.own.chmod(0o755)
        self.numbers = itertools.count()

    def waits(self):
        """Until its life, which listens, is ready for the steps."""

    def connect(self, **options):
        return self.life.connect(**options)

    def step_cached(self):
        with self.connect() as peer:
            for _ in range(2):
                peer.ask("/small.txt", body=self.site.small)
            peer.ask("/small.txt", fields="Connection: close\r\n", body=self.site.small)
            peer.ends()

    def step_new_file(self):
        """Read for the first time, then written anew, then gone."""
        file = self.own / f"{next(self.numbers)}.txt"
        target = f"/{self.own.name}/{file.name}"
        with self.connect() as peer:
            try:
                for content in (b"first\n", b"second, which is longer\n"):
                    file.write_bytes(content)
                    until(lambda wanted=content: peer.ask(target).body == wanted, "new content")
            finally:
                file.unlink()
            until(lambda: self.is_missing(peer, target), "404 for a file that has gone")

    @staticmethod
    def is_missing(peer, target):
        try:
            peer.ask(target, status=404)
            return True
        except Wrong:
            return False

    def step_large(self):
        with self.connect(receive_buffer=65_536) as peer:
            peer.ask("/large.bin", body=self.site.large)
            peer.ask("/large.bin", fields=f"Range: bytes={LARGE_RANGE[0]}-{LARGE_RANGE[1] - 1}\r\n", status=206,
                     body=self.site.large[slice(*LARGE_RANGE)])

    def step_small_requests(self):
        with self.connect() as peer:
            peer.ask("/small.txt", fields="Range: bytes=10-19\r\n", status=206, body=self.site.small[10:20])
            tag = peer.ask("/small.txt", "HEAD").fields["etag"]
            peer.ask("/small.txt", fields=f"If-None-Match: {tag}\r\n", status=304)
            peer.ask("/page", status=301)
            peer.ask("/page/", body=self.site.page)

    def step_errors(self):
        with self.connect() as peer:
            page = peer.ask("/missing", status=404).body
            if b"404 Not Found" in page:
                raise Cut("with the page that needs no file")
            if page != b"<p>missing\n":
                raise Wrong("a wrong error page")
            peer.ask("/%2e%2e/secret", status=404)
            peer.send(b"GET / HTTP/1.1\r\n\r\n")
            peer.answer(status=400)
            peer.ends()

    def step_listing(self):
        with self.connect() as peer:
            body = peer.ask("/folder/").body
            if b"a.txt" not in body or b"b.txt" not in body:
                raise Wrong("a listing without its entries")

    def step_precompressed(self):
        with self.connect() as peer:
            answer = peer.ask("/app.js", fields="Accept-Encoding: gzip\r\n")
            zipped = answer.fields.get("content-encoding") == "gzip"
            if (gzip.decompress(answer.body) if zipped else answer.body) != self.site.script:
                raise Wrong("a wrong body of a precompressed file")
            if not zipped:
                raise Cut("the variant was left out")

    def step_uploads(self):
        with self.connect() as peer:
            peer.send(request("/small.txt", "POST", "Content-Length: 5\r\n") + b"12345")
            peer.answer(status=405)
        with self.connect() as peer:
            peer.send(request("/small.txt", "POST", "Transfer-Encoding: chunked\r\n") + b"5\r\n12345\r\n0\r\n\r\n")
            peer.answer(status=405)

    def step_pipelined(self):
        with self.connect() as peer:
            peer.send(request("/small.txt") * 8)
            for _ in range(8):
                peer.answer(body=self.site.small)

    def step_half_closed(self):
        with self.connect() as peer:
            peer.send(request("/small.txt"))
            peer.half_close()
            peer.answer(body=self.site.small)
            peer.ends()

    def step_reset(self):
        peer = self.connect(receive_buffer=4_096)
        peer.send(request("/large.bin"))
        peer.answer_begins()
        peer.reset()

    def step_many_files(self):
        """More than the cache holds."""
        with self.connect() as peer:
            for number in range(MANY):
                peer.ask(f"/many{number}.bin", body=self.site.many(number))

    def step_rotation(self):
        log, old = self.life.log, self.life.log.with_suffix(".old")
        os.replace(log, old)
        try:
            self.life.signal(signal.SIGUSR1)
            self.step_cached()  # under fork-per-connection, it is the next process that opens the new one
            until(lambda: log.exists() or self.life.was_struck(), "new access log")
            until(log.exists, "new access log", seconds=AFTER_A_FAULT_SECONDS)
        except Wrong as wrong:
            raise Cut(str(wrong)) from None
        finally:
            if not log.exists():
                log.write_bytes(b"")  # for the next one

    def step_reload(self):
        before = self.life.settled_workers()
        self.life.signal(signal.SIGHUP)
        until(lambda: self.life.are_replaced(before), "new workers")
        self.step_cached()

    @classmethod
    def names(cls, engine):
        """Of the steps. Only prefork replaces its workers; a rotated log is its reload too."""
        left_out = "rotation" if engine == "prefork" else "reload"
        return [name for name in cls.own_names() if name != left_out]

    @classmethod
    def own_names(cls):
        """Without those of the class that it is made from."""
        return [name.removeprefix("step_") for name in vars(cls) if name.startswith("step_")]

    def steps(self):
        return {name: getattr(self, f"step_{name}") for name in type(self).names(self.life.engine)}
