"""The steps of a server with TLS: handshakes, HTTP/2, certificates that are read again."""

import os
import signal
import ssl

from client import Client, Cut, Http2, Wrong, client_context
from life import until
from script import AFTER_A_FAULT_SECONDS, LARGE_RANGE, Script

CERTIFICATES = "the certificates "
DROPPED = "dropped"
READ_AGAIN = "the certificates were read again"  # or "stay as they were"


class SecureScript(Script):
    life = ("tls_start", "tls_stop")
    tls = unwinds_slowly = True
    libraries = ("openssl",)
    allocations_max = 400  # OpenSSL makes thousands

    @staticmethod
    def options(folder):
        """It has to make its certificate."""
        return ["--tls"]

    def http2(self, **options):
        return self.connect(protocols=["h2"], **options)

    def step_tls_small(self):
        with self.connect() as peer:
            for _ in range(2):
                peer.ask("/small.txt", body=self.site.small)
            peer.ask("/small.txt", fields="Connection: close\r\n", body=self.site.small)
            peer.ends()

    def step_tls_resumed(self):
        """The second connection shows the ticket of the first."""
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = client_context(version)
            with Client(self.life.port, tls=context) as first:
                first.ask("/small.txt", body=self.site.small)
                session = first.socket.session
            with Client(self.life.port, tls=context, session=session) as second:
                second.ask("/small.txt", body=self.site.small)

    def step_tls_large(self):
        with self.connect(receive_buffer=65_536) as peer:
            peer.ask("/large.bin", body=self.site.large)
            peer.ask("/large.bin", fields=f"Range: bytes={LARGE_RANGE[0]}-{LARGE_RANGE[1] - 1}\r\n", status=206,
                     body=self.site.large[slice(*LARGE_RANGE)])

    def step_tls_refused(self):
        with Client(self.life.port) as plain:
            plain.ask("/small.txt", status=400)
        with Client(self.life.port) as half:
            half.send(b"\x16\x03\x01\x02\x00\x01")
        with Client(self.life.port) as nonsense:
            nonsense.send(b"\x17\x03\x03\x00\x02no")
            nonsense.receive()

    def step_tls_reset(self):
        peer = self.connect(receive_buffer=4_096)
        peer.send(b"GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        peer.answer_begins()
        peer.reset()

    def step_h2_side_by_side(self):
        with self.http2() as peer:
            requests = Http2(peer)
            streams = [(requests.ask(f"/many{number}.bin"), self.site.many(number)) for number in range(3)]
            missing, refused = requests.ask("/missing"), requests.ask("/small.txt", method="POST", content=b"12345")
            part = requests.ask("/large.bin", ("range", f"bytes={LARGE_RANGE[0]}-{LARGE_RANGE[1] - 1}"))
            for stream, body in streams:
                requests.answer(stream, body=body)
            requests.answer(missing, 404)
            requests.answer(refused, 405)
            requests.answer(part, 206, self.site.large[slice(*LARGE_RANGE)])
            requests.answer(requests.ask("/small.txt"), body=self.site.small)

    def step_h2_canceled(self):
        with self.http2(receive_buffer=65_536) as peer:
            requests = Http2(peer)
            large = requests.ask("/large.bin")
            requests.answer_begins(large)
            requests.cancel(large)
            requests.answer(requests.ask("/small.txt"), body=self.site.small)

    def step_tls_renewal(self):
        """Under prefork, new workers have the new certificates. SIGHUP would replace them twice."""
        told, done, workers = self.told(), self.told(READ_AGAIN), self.life.settled_workers()
        dropped = self.told(DROPPED)
        if self.life.engine == "prefork":
            os.utime(self.life.folder / "state/weir/weir.crt")
        else:
            self.life.signal(signal.SIGHUP)
        try:
            until(lambda: self.told() > told or self.life.was_struck(), "word of the certificates")
            until(lambda: self.told() > told or self.life.workers() != workers, "word of the certificates",
                  seconds=AFTER_A_FAULT_SECONDS)
        except Wrong as wrong:
            raise Cut(str(wrong)) from None
        # It comes once the workers are replaced, unless the fault cost the line: that is told, too.
        until(lambda: self.told() > told or self.told(DROPPED) > dropped, "word of the certificates")
        if self.told() == told:
            raise Cut("the word of the certificates was dropped")
        if self.life.engine == "prefork" and self.told(READ_AGAIN) > done:
            until(lambda: self.life.are_replaced(workers), "new workers")
        self.step_tls_small()

    def told(self, words=CERTIFICATES):
        return self.life.text().count(words)

    @classmethod
    def names(cls, engine):
        return cls.own_names()
