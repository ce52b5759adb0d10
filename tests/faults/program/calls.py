"""Which calls there are, by name, and what each may fail with: errnos.txt, and the memory that is shared with the supervisor."""

import errno
import mmap
import re
import struct
import subprocess
from pathlib import Path

# As in orders.h and variants.h.
NUMBERS, VARIANTS = 1024, 32
FIELDS = ("started", "server", "exited", "key", "nth", "error", "met", "hits", "listening")
COUNTS_AT = 4 * len(FIELDS)
SIZE = COUNTS_AT + 2 * 4 * NUMBERS * VARIANTS
DESCRIPTORS = ("unknown", "socket", "pipe", "eventfd", "inotify", "anonymous", "device", "file")
# The calls that an engine consists of. All others are made above the engines, or by what they share.
OF_ENGINES = {"accept", "accept4", "clone", "clone3", "epoll_create1", "epoll_ctl.add", "epoll_wait", "epoll_pwait", "eventfd2",
              "io_uring_enter", "io_uring_setup", "poll", "ppoll", "pselect6", "recvfrom", "recvmsg", "sendfile", "sendmsg", "sendto",
              "shutdown", "signalfd4", "timerfd_create", "wait4", "waitid"}
BY_DESCRIPTOR = {"read", "readv", "write", "writev"}
VARIANT_NAMES = {
    **{name: DESCRIPTORS for name in BY_DESCRIPTOR},
    "epoll_ctl": ("?", "add", "del", "mod"),
    "fcntl": ("flags", "duplicate"),
    "ioctl": ("queue", "nonblocking"),
    "io_uring_register": tuple(str(operation) for operation in range(VARIANTS)),
}
# In place of an errno, as in short_transfer.h: the call moves one byte.
SHORT = 4096
ERRORS = {name: number for name, number in vars(errno).items() if name.startswith("E")} | {"SHORT": SHORT}
ERROR_NAMES = errno.errorcode | {SHORT: "SHORT"}
TABLE = Path(__file__).with_name("errnos.txt")


def numbers_by_name():
    """The system calls of this machine, as its C library's headers have them."""
    text = subprocess.run(["c++", "-E", "-dM", "-include", "sys/syscall.h", "-x", "c++", "/dev/null"],
                          capture_output=True, check=True, text=True).stdout
    found = {name: int(number) for name, number in re.findall(r"^#define __NR_(\w+) (\d+)$", text, re.MULTILINE)}
    return found | {"allocation": NUMBERS - 1}


NUMBER = numbers_by_name()
NAME = {number: name for name, number in NUMBER.items()}


def name_of(key):
    number, variant = divmod(key, VARIANTS)
    name = NAME.get(number, f"call_{number}")
    variants = VARIANT_NAMES.get(name)
    if variants is None:
        return name
    return f"{name}.{variants[variant] if variant < len(variants) else variant}"


def read_table():
    """Two dictionaries by name: the errnos of each call that is failed, and why each of the others is not."""
    fails, spared = {}, {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        names, _, rest = line.partition(":")
        what, _, why = rest.partition("#")
        for name in names.split():
            if what.strip() == "never":
                assert why.strip(), f"errnos.txt: {name} is never failed, and no reason is given"
                spared[name] = why.strip()
            else:
                fails[name] = [ERRORS[word] for word in what.split()]
    return fails, spared


FAILS, SPARED = read_table()


# The calls that an engine consists of. All others are made by what lies above the engines, or by what all of them use.
OF_ENGINES = ("accept", "accept4", "clone", "clone3", "epoll_create1", "epoll_ctl.add", "epoll_wait", "epoll_pwait", "eventfd2",
              "io_uring_enter", "io_uring_setup", "poll", "ppoll", "pselect6", "recvfrom", "recvmsg", "sendfile", "sendmsg", "sendto",
              "shutdown", "signalfd4", "timerfd_create", "wait4", "waitid")


def spared_numbers():
    """The calls that the supervisor need not be asked about: all of their variants are spared."""
    return [NUMBER[name] for name in SPARED if name in NUMBER]


class Orders:
    """struct Orders of orders.h, in a file that is mapped."""

    def __init__(self, path):
        self.path = path
        with open(path, "w+b") as file:
            file.truncate(SIZE)
            self.memory = mmap.mmap(file.fileno(), SIZE)

    def get(self, field):
        return struct.unpack_from("I", self.memory, 4 * FIELDS.index(field))[0]

    def set(self, field, value):
        struct.pack_into("I", self.memory, 4 * FIELDS.index(field), value)

    def _counts(self, number):
        keys = NUMBERS * VARIANTS
        found = struct.unpack_from(f"{keys}I", self.memory, COUNTS_AT + 4 * keys * number)
        return {key: count for key, count in enumerate(found) if count}

    def counts(self):
        """How often each call was made: {key: count}."""
        return self._counts(0)

    def counts_before_listening(self):
        return self._counts(1)

    def total(self):
        return sum(self.counts().values())

    def arm(self, fault):
        self.clear()
        self.set("met", 0)
        self.set("hits", 0)
        self.set("nth", fault.nth)
        self.set("error", fault.error)
        self.set("key", fault.key)

    def clear(self):
        self.set("key", 0)

    def close(self):
        self.memory.close()
