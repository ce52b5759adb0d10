"""Plays systemd: passes sockets to a server, and hears what the server says of itself (sd_listen_fds(3), sd_notify(3))."""

import socket
import struct
import sys
from pathlib import Path

from served import PATIENCE_SECONDS, SITE, InAFolder

SO_TIMESTAMP = 29  # socket(7); Python has no name for it
TIMEVAL = "ll"

# LISTEN_PID must be the process that weir becomes. The descriptors go first to high numbers, because they may be 3 and 4 already.
BECOMES_WEIR = """
import fcntl, os, sys
mark = sys.argv.index("--")
low = [int(fd) for fd in sys.argv[1:mark]]
high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in low]
for fd in low:
    os.close(fd)
for number, fd in enumerate(high):
    os.dup2(fd, 3 + number)
    os.close(fd)
os.environ["LISTEN_PID"] = str(os.getpid())
os.execv(sys.argv[mark + 1], sys.argv[mark + 1:])
"""


class Heard:
    """The socket of a service manager, and the messages that came to it."""

    def __init__(self, place):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + place[1:] if place.startswith("@") else place)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMP, 1)
        self.place = place
        self.sent_at = None  # the last message that was taken

    def take(self):
        """The lines of the next message as a dict."""
        text, [(_, _, time)], _, _ = self.socket.recvmsg(4096, socket.CMSG_SPACE(struct.calcsize(TIMEVAL)))
        seconds, microseconds = struct.unpack(TIMEVAL, time)
        self.sent_at = seconds + microseconds / 1e6
        return dict(each.split("=", 1) for each in text.decode().split("\n"))

    def wait_for(self, line):
        """The next message with such a line."""
        name, _, value = line.partition("=")
        while True:
            message = self.take()
            if message.get(name) == value:
                return message

    def wait_for_silence(self, seconds):
        """Returns when no message has been sent for so long. Where this process itself stands still meanwhile, it hears of that later."""
        self.socket.settimeout(seconds)
        for _ in range(100):
            before = self.sent_at
            try:
                self.take()
            except TimeoutError:
                break
            if before and self.sent_at - before >= seconds:
                break
        else:
            raise AssertionError("the messages go on")
        self.socket.settimeout(PATIENCE_SECONDS)

    def rest(self):
        """The messages of a server that has ended."""
        self.socket.setblocking(False)
        messages = []
        try:
            while True:
                messages.append(self.take())
        except BlockingIOError:
            self.socket.settimeout(PATIENCE_SECONDS)
            return messages


class Managed(InAFolder):
    """Servers of a service manager."""

    def setUp(self):
        super().setUp()
        self.heard = self.hear(str(self.top / "notify"))

    def hear(self, place):
        heard = Heard(place)
        self.addCleanup(heard.socket.close)
        return heard

    def listener(self, place=("127.0.0.1", 0)):
        """A socket as a socket unit has it: without SO_REUSEPORT."""
        family = socket.AF_UNIX if isinstance(place, str) else socket.AF_INET6 if ":" in place[0] else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM)
        self.addCleanup(made.close)
        made.bind(place)
        made.listen()
        return made

    def activate(self, sockets, *options, root=SITE, **added):
        """A server with sockets: {name: socket}."""
        numbers = [each.fileno() for each in sockets.values()]
        prefix = [sys.executable, "-c", BECOMES_WEIR, *map(str, numbers), "--"]
        variables = {"LISTEN_FDS": str(len(numbers)), "LISTEN_FDNAMES": ":".join(sockets), "NOTIFY_SOCKET": self.heard.place}
        return self.start("serve", root, "--engine", self.engine, *options, prefix=prefix, pass_fds=numbers, **(variables | added))


def ask_at(connected, target="/", **fields):
    """The first line of the response, and the rest of it, on a connection that ends."""
    lines = [f"GET {target} HTTP/1.1", "Host: localhost", "Connection: close", *(f"{name}: {value}" for name, value in fields.items())]
    connected.sendall("\r\n".join([*lines, "", ""]).encode())
    received = b""
    while data := connected.recv(1 << 16):
        received += data
    line, _, rest = received.partition(b"\r\n")
    return line.decode(), rest


def connected_to(listener):
    """A client of a listening socket."""
    client = socket.socket(listener.family, socket.SOCK_STREAM)
    client.settimeout(PATIENCE_SECONDS)
    client.connect(listener.getsockname())
    return client


def environment_of(pid):
    """As the process had it at its start: proc_pid_environ(5)."""
    lines = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return dict(line.decode().split("=", 1) for line in lines if b"=" in line)
