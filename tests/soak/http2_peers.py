"""Clients of HTTP/2, through TLS: many requests at a time, of which some are canceled."""

import asyncio
import time
from types import SimpleNamespace

import server  # noqa: F401 (it adds the folder of http2 to the path)
from folder import LARGE, MIDDLE, REPLACED, SMALL
from peers import CUTS, PATIENCE_SECONDS, check, connection

import http2


CANCEL = 8  # RFC 9113 7


class Peer:
    """One connection."""

    def __init__(self, load, streams):
        self.load, (self.reader, self.writer) = load, streams
        self.http2 = http2.Connection()
        self.asked = {}  # by stream: (number, name, when)

    def ask(self, name, *fields):
        number, target = self.load.target(name)
        stream = self.http2.request(target, "GET", *fields)
        self.asked[stream] = (number, name, time.monotonic())
        return stream

    def cancel(self, stream):
        number, *_ = self.asked.pop(stream)
        self.load.journal.unanswered.add(number)
        self.load.journal.outcomes["canceled"] += 1
        self.http2.cancel(stream)

    async def answers(self):
        """Waits for all that was asked; False where the connection is of no more use."""
        asked_at = time.monotonic()
        try:
            while self.asked:
                await self.receive()
                await self.take_whole()
        except http2.ProtocolError as wrong:
            self.load.journal.fault(f"HTTP/2: {wrong}")
        except CUTS as cut:
            await self.was_cut(cut, asked_at)
        return not self.asked and self.http2.goaway is None

    async def receive(self):
        self.writer.write(self.http2.take())
        data = await asyncio.wait_for(self.reader.read(1 << 18), PATIENCE_SECONDS)
        if not data:
            raise ConnectionError("closed")
        self.http2.receive(data)
        self.writer.write(self.http2.take())

    async def take_whole(self):
        for stream in [stream for stream in self.asked if self.http2.answers[stream].is_over]:
            number, name, asked_at = self.asked.pop(stream)
            came = self.http2.answers.pop(stream)
            if not came.is_whole:
                self.load.journal.unanswered.add(number)
                await self.was_reset(name, came.reset, asked_at)
                continue
            first = int(came.fields["content-range"].split()[1].split("-")[0]) if came.status == 206 else 0
            answer = SimpleNamespace(status=came.status, body=bytes(came.body), offset=first)
            check(self.load, number, name, asked_at, answer, 206 if first else 200)

    async def was_reset(self, name, code, asked_at):
        """A peer that takes nothing for as long as the transmit timeout loses the stream."""
        if code != CANCEL or not await self.load.was_disturbed(asked_at):
            self.load.journal.fault(f"HTTP/2: {name} was reset with {code}")

    async def was_cut(self, cut, asked_at):
        """What the server has not begun when it leaves may be asked again elsewhere (RFC 9113 6.8)."""
        left = self.http2.goaway is not None
        for number, *_ in self.asked.values():
            self.load.journal.unanswered.add(number)
        if not left and not await self.load.was_disturbed(asked_at):
            self.load.journal.fault(f"HTTP/2: {len(self.asked)} answers did not come whole: {type(cut).__name__} {cut}")


async def keeper(load):
    """Keeps its connection for a while, with many requests at a time."""
    async with connection(load, "h2") as streams:
        peer = Peer(load, streams)
        for _ in range(load.random.randrange(1, 20)):
            for name in load.random.choices([*SMALL, *REPLACED], k=20):
                peer.ask(name)
            if not load.goes_on() or not await peer.answers():
                return


async def downloader(load):
    """Large files side by side, and stretches of them."""
    async with connection(load, "h2") as streams:
        peer = Peer(load, streams)
        for name in load.random.choices([*MIDDLE, *LARGE], k=3):
            peer.ask(name)
        peer.ask("large", ("range", f"bytes={load.random.randrange(1, 1000)}-99999"))
        await peer.answers()


async def canceler(load):
    """Wants most of its answers no more."""
    async with connection(load, "h2") as streams:
        peer = Peer(load, streams)
        for _ in range(4):
            asked = [peer.ask(name) for name in load.random.choices([*SMALL, *MIDDLE, *LARGE], k=8)]
            try:
                await peer.receive()
            except CUTS as cut:
                return await peer.was_cut(cut, time.monotonic())
            await peer.take_whole()
            for stream in asked[1:]:
                if stream in peer.asked:
                    peer.cancel(stream)
            if not await peer.answers():
                return None
    return None
