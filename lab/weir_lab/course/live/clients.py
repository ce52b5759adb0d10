"""Clients of the lecture. Each is a coroutine that goes on until it is canceled; what the server closes, it opens
again."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Client = Callable[[int], Coroutine[None, None, None]]  # of a port of 127.0.0.1

HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"  # the empty line that ends a head is missing
WHOLE = HALF + b"\r\n"
PAUSE_SECONDS = 0.1  # between the requests of a client that asks, and before the next connection


async def asking(port: int) -> None:
    """Asks, and asks again after a pause."""
    await _each_connection(port, lambda streams: _ask_on(streams, PAUSE_SECONDS))


async def busy(port: int) -> None:
    """Asks again as soon as it has its answer."""
    await _each_connection(port, lambda streams: _ask_on(streams, 0.0))


async def idle(port: int) -> None:
    """Has one answer, and keeps the connection."""

    async def once(streams: Streams) -> None:
        await _ask(streams)
        await streams[0].read()

    await _each_connection(port, once)


async def slow(port: int) -> None:
    """Sends half of a request, and waits."""

    async def half(streams: Streams) -> None:
        streams[1].write(HALF)
        await streams[0].read()

    await _each_connection(port, half)


async def _ask_on(streams: Streams, pause: float) -> None:
    while True:
        await _ask(streams)
        await asyncio.sleep(pause)


async def _ask(streams: Streams) -> None:
    reader, writer = streams
    writer.write(WHOLE)
    head = await reader.readuntil(b"\r\n\r\n")
    fields = head.decode("latin-1").lower().split("\r\n")
    length = next((int(one.partition(":")[2]) for one in fields if one.startswith("content-length:")), 0)
    await reader.readexactly(length)


async def _each_connection(port: int, use: Callable[[Streams], Awaitable[None]]) -> None:
    while True:
        with contextlib.suppress(OSError, EOFError, ValueError, asyncio.LimitOverrunError):
            async with _connection(port) as streams:
                await use(streams)
        await asyncio.sleep(PAUSE_SECONDS)


@contextlib.asynccontextmanager
async def _connection(port: int) -> AsyncIterator[Streams]:
    streams = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield streams
    finally:
        streams[1].close()


@contextlib.asynccontextmanager
async def at_once(clients: dict[Client, int], ports: tuple[int, ...]) -> AsyncIterator[None]:
    """As many of each as the number says, of each port."""
    tasks = [
        asyncio.create_task(client(port)) for port in ports for client, count in clients.items() for _ in range(count)
    ]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
