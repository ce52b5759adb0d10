"""The clients of the soak. Each does one thing, again and again, until its time is over, and compares what comes."""

import asyncio
import contextlib
import random
import socket
import ssl
import struct
import time
from dataclasses import dataclass, field

from answers import Cut, read_answer, request
from folder import LARGE, MIDDLE, REPLACED, SIZES, SMALL, Folder
from journal import Journal
from server import TIMEOUT_SECONDS

# A wrong server would keep a client for ever. One that serves a peer at a time may take this long.
PATIENCE_SECONDS = 90
DISTURBED_SECONDS = 3  # in which connections may be cut after a worker was killed
SHORTEST_TIMEOUT_SECONDS = TIMEOUT_SECONDS / 2  # of the server
LATE = 0.4  # of a timeout: a peer may take two turns of its loop, one to read an answer and one for its next request
LATELY_SECONDS = 1  # a thread that others wait for may cut a new connection 0.4 s after its begin, before it asked
CUTS = (Cut, ConnectionError, TimeoutError, ssl.SSLError)


@dataclass
class Load:
    host: str
    port: int
    folder: Folder
    journal: Journal
    until: float
    random: random.Random
    late_seconds: float = SHORTEST_TIMEOUT_SECONDS * LATE
    kills: list = field(default_factory=list)  # when a worker was killed
    lates: list = field(default_factory=list)  # when this process got no time: its peers looked slow
    over: asyncio.Event = field(default_factory=asyncio.Event)
    tls: bool = False

    def goes_on(self):
        return time.monotonic() < self.until

    def seconds_left(self):
        return max(0.0, self.until - time.monotonic())

    async def pause(self, seconds):
        """A peer that takes its time."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), seconds)

    async def was_disturbed(self, since):
        await self.pause(self.late_seconds)  # that these peers are late is noticed after their connections were cut
        was_killed = any(since - DISTURBED_SECONDS <= when for when in self.kills)
        lately = max(LATELY_SECONDS, 3 * self.late_seconds)
        return was_killed or any(since - lately <= when for when in self.lates)

    async def connect(self, *protocols, **options):
        security = {"ssl": client_context(protocols), "server_hostname": "localhost"} if self.tls else {}
        if "sock" not in options:
            options |= {"host": self.host, "port": self.port}
        return await asyncio.open_connection(**options, **security)

    def target(self, name):
        """(id, target): the id comes back in the access log."""
        number = self.journal.next_id()
        return number, f"/{name}?n={number}"


def client_context(protocols):
    """It trusts every certificate: that is another test's."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if protocols:
        context.set_alpn_protocols(protocols)
    return context


def check(load, number, name, asked_at, answer, expected):
    load.journal.answer(number, answer.status)
    load.journal.outcomes[str(answer.status)] += 1
    if answer.status != expected:
        load.journal.fault(f"{name}: {answer.status} came, not {expected}")
        return
    if name not in SIZES or answer.status not in (200, 206):
        return
    try:
        load.folder.check(name, answer.body, answer.offset, asked_at)
        load.journal.bytes_compared += len(answer.body)
    except ValueError as wrong:
        load.journal.fault(str(wrong))


async def ask(load, streams, name, expected=200, *, method="GET", fields=()):
    """One request on an open connection; whether it stays open."""
    reader, writer = streams
    number, target = load.target(name)
    asked_at = time.monotonic()
    try:
        writer.write(request(method, target, *fields))
        answer = await asyncio.wait_for(read_answer(reader, method), PATIENCE_SECONDS)
    except CUTS as cut:
        load.journal.unanswered.add(number)
        if not await load.was_disturbed(asked_at):
            load.journal.fault(f"{method} {target}: no whole answer: {type(cut).__name__} {cut}")
        return False
    check(load, number, name, asked_at, answer, expected)
    return not answer.closes


@contextlib.asynccontextmanager
async def connection(load, *protocols, **options):
    streams = await load.connect(*protocols, **options)
    try:
        yield streams
    finally:
        streams[1].close()
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            await streams[1].wait_closed()


async def keeper(load):
    """Keeps its connection for a while: small and changing files, and what is wrong with a request."""
    async with connection(load) as streams:
        for _ in range(load.random.randrange(1, 60)):
            name = load.random.choice([*SMALL, *REPLACED])
            if not load.goes_on() or not await ask(load, streams, name):
                return


async def mistaken(load):
    """Asks for what there is not, and for what can't be done."""
    async with connection(load) as streams:
        for name, expected, method, fields in (
            ("nowhere", 404, "GET", ()),
            ("small-1", 405, "DELETE", ()),
            ("small-1", 501, "BREW", ()),
            ("small-1", 416, "GET", ("Range: bytes=99999-",)),
            ("small-1", 412, "GET", ('If-Match: "other"',)),
            ("small-1", 200, "HEAD", ()),
            ("small-1", 405, "POST", ("Content-Length: 0",)),
        ):
            if not await ask(load, streams, name, expected, method=method, fields=fields):
                return


async def downloader(load):
    async with connection(load) as streams:
        await ask(load, streams, load.random.choice([*MIDDLE, *LARGE]))


async def ranger(load):
    """Asks for stretches of files."""
    async with connection(load) as streams:
        for _ in range(8):
            name = load.random.choice([*MIDDLE, *LARGE])
            first = load.random.randrange(SIZES[name])
            last = min(first + load.random.randrange(1, 300_000), SIZES[name]) - 1
            if not await ask(load, streams, name, 206, fields=(f"Range: bytes={first}-{last}",)):
                return


async def pipeliner(load):
    """Sends sixteen requests at once, and reads the answers in order, until one says that it is the last."""
    async with connection(load) as (reader, writer):
        asked_at = time.monotonic()
        asked = [(*load.target(name), name) for name in load.random.sample([*SMALL], 16)]
        writer.write(b"".join(request("GET", target) for _, target, _ in asked))
        closed = False
        for number, target, name in asked:
            if closed:
                load.journal.unanswered.add(number)
                continue
            try:
                answer = await asyncio.wait_for(read_answer(reader), PATIENCE_SECONDS)
            except CUTS as cut:
                load.journal.unanswered.add(number)
                if not await load.was_disturbed(asked_at):
                    load.journal.fault(f"pipelined {target}: no whole answer: {cut}")
                closed = True
                continue
            check(load, number, name, asked_at, answer, 200)
            closed = answer.closes


async def leaver(load):
    """Resets its connection, in the middle of a request or of an answer."""
    async with connection(load) as (reader, writer):
        number, target = load.target(load.random.choice([*MIDDLE, *LARGE]))
        load.journal.unanswered.add(number)
        whole = request("GET", target)
        writer.write(whole[: load.random.choice([3, len(whole)])])
        if load.random.random() < 0.7:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(reader.read(load.random.randrange(1, 100_000)), 1)
        reset(writer)
        load.journal.outcomes["left"] += 1


def reset(writer):
    """close(2) sends RST (socket(7), SO_LINGER). With TLS, a connection that was lost has no socket."""
    if stream := writer.get_extra_info("socket"):
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def slow_writer(load):
    """Sends a part of a head and waits: it must be told, or cut, when its time is over."""
    async with connection(load) as (reader, writer):
        started = time.monotonic()
        writer.write(b"GET /small-1 HT")
        await expect_the_end(load, reader, started, "a head that does not end")


async def slow_reader(load):
    """Asks for a large file and does not read it: it must be cut."""
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stream.setblocking(False)
    await asyncio.get_running_loop().sock_connect(stream, (load.host, load.port))
    async with connection(load, sock=stream, limit=4096) as (reader, writer):
        number, target = load.target("large")
        load.journal.unanswered.add(number)
        writer.write(request("GET", target))
        await load.pause(load.random.uniform(1.25, 2) * TIMEOUT_SECONDS)  # longer than the server's patience
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while await asyncio.wait_for(reader.read(1 << 20), PATIENCE_SECONDS):
                pass
        load.journal.outcomes["slow reader"] += 1


async def silent(load):
    async with connection(load) as (reader, _):
        await expect_the_end(load, reader, time.monotonic(), "silence")


async def expect_the_end(load, reader, started, what):
    try:
        await asyncio.wait_for(reader.read(), PATIENCE_SECONDS)
    except (ConnectionError, ssl.SSLError):
        pass
    except TimeoutError:
        load.journal.fault(f"{what} was borne for {time.monotonic() - started:.0f} s")
    load.journal.outcomes[what] += 1


async def repeat(load, peer):
    while load.goes_on():
        started = time.monotonic()
        try:
            await peer(load)
        except (ConnectionError, ssl.SSLError) as lost:
            if not await load.was_disturbed(started):
                load.journal.fault(f"{peer.__name__}: {lost}")


async def note_lateness(load):
    """A loaded machine may keep these peers from sending for longer than the server's timeouts."""
    while load.goes_on():
        begun = time.monotonic()
        await load.pause(load.late_seconds / 4)
        if time.monotonic() - begun > load.late_seconds:
            load.lates.append(time.monotonic())
            load.journal.outcomes["late themselves"] += 1


async def run(load, counts):
    """`counts`: (peer, how many at once)."""
    beat = asyncio.create_task(note_lateness(load))
    await asyncio.gather(*(repeat(load, peer) for peer, count in counts for _ in range(count)))
    await beat
    load.over.set()
