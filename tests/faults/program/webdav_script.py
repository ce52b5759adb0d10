"""The steps of a server whose folders are mounted."""

import re
import shutil

from client import Cut, Wrong, request
from life import until
from script import Script, pattern

CONTENT = pattern(100_000)
SET = b'<propertyupdate xmlns="DAV:"><set><prop><color xmlns="urn:weir">blue</color></prop></set></propertyupdate>'
LOCK = b'<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
REFUSED = re.compile(rb"HTTP/1\.1 (?:500|503|507) ")


class WebDavScript(Script):
    life = ("webdav_start", "webdav_stop")
    libraries = ("expat",)
    allocations_max, calls_max = 200, 12

    @staticmethod
    def options(folder):
        return ["--upload", "--webdav"]

    def step_webdav_tree(self):
        """A folder is made, filled, described, copied, moved and removed."""
        with self.connect() as peer, Folder(self) as folder:
            folder.ask(peer, "MKCOL", "", 201)
            folder.ask(peer, "PUT", "/file", 201, content=CONTENT)
            folder.ask(peer, "PROPPATCH", "/file", 207, content=SET)
            if b"blue" not in folder.ask(peer, "PROPFIND", "/file", 207, "Depth: 0\r\n"):
                raise Wrong("a property that was set is not found")
            folder.ask(peer, "COPY", "/file", 201, folder.to("/copy"))
            folder.ask(peer, "COPY", "", 201, folder.to("2"))
            folder.ask(peer, "MOVE", "/copy", 201, folder.to("/moved"))
            if b"/moved" not in folder.ask(peer, "PROPFIND", "/", 207, "Depth: 1\r\n"):
                raise Wrong("a file that was moved is not listed")
            folder.ask(peer, "DELETE", "", 204)
            if folder.path.exists():
                raise Wrong("a folder that was removed is there")

    def step_webdav_lock(self):
        with self.connect() as peer, Folder(self) as folder:
            folder.path.mkdir()
            found = re.search(rb"<D:href>(urn:uuid:[^<]+)", folder.ask(peer, "LOCK", "/file", 201, content=LOCK))
            if not found:
                raise Wrong("a lock without a token")
            token = found[1].decode()
            folder.ask(peer, "PUT", "/file", 423, content=b"other")
            folder.ask(peer, "PUT", "/file", 204, f"If: (<{token}>)\r\n", content=CONTENT)
            folder.ask(peer, "UNLOCK", "/file", 204, f"Lock-Token: <{token}>\r\n")

    @classmethod
    def names(cls, engine):
        return cls.own_names()


class Folder:
    """One of each run. In the end its files are whole, and it is removed."""

    def __init__(self, script):
        name = f"dav{next(script.numbers)}"
        self.script, self.target = script, f"/{script.own.name}/{name}"
        self.path = script.own / name

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        until(self.is_removed, "end of work in a folder")

    def is_removed(self):
        """The connection may have ended before the work on its request did."""
        for file in [file for file in self.script.own.rglob("*") if file.is_file()]:
            if file.read_bytes() not in (CONTENT, b""):
                raise Wrong(f"{file.name} is neither whole nor empty")
        for each in list(self.script.own.iterdir()):
            shutil.rmtree(each, ignore_errors=True)
        return not any(self.script.own.iterdir())

    def to(self, name):
        return f"Destination: {self.target}{name}\r\n"

    def ask(self, peer, method, name, status, fields="", content=b""):
        """The body. A fault may strike one file of several, which the answer tells."""
        length = f"Content-Length: {len(content)}\r\n"
        peer.send(request(self.target + name, method, fields + length) + content)
        answer = peer.answer(None)
        if answer.status == 207 and REFUSED.search(answer.body):
            raise Cut("a part was refused")
        if answer.status != status:
            raise Wrong(f"{method} {name}: {answer.status} in place of {status}: {answer.body[:200]!r}")
        return answer.body
