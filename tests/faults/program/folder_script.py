"""The steps of a server that gives and takes more than files as they are: uploads, archives, searches, pages of Markdown, content
that it compresses, rules of the folder, passwords."""

import base64
import gzip
import io
import json
import random
import tarfile
import zipfile

from client import Cut, Wrong, request
from life import until
from script import Script, pattern

PASSWORD = base64.b64encode(b"ada:Hello world!").decode()
WRONG_PASSWORD = base64.b64encode(b"ada:Hello").decode()
# By crypt(3): SHA-512-crypt, of few rounds.
USERS = "ada:$6$rounds=1000$saltstring$Zu2Vknok2/f53APfN687ADnzeNBLcsEgTwvcBHMD2./07rZQAt8vsuKVufD15dyZh.LOLB/uZKf6I3GyON4bp/\n"
BROWSER = "Accept: text/html\r\n"
TEXT = pattern(40_000)  # more than is compressed where the request is handled
UPLOAD = pattern(200_000)
RULES_LOOK_SECONDS = 1
NOISE = random.Random(1).randbytes(12_000_000)  # more than sockets hold


class FolderScript(Script):
    life = ("folder_start", "folder_stop")
    unwinds_slowly = True
    libraries = ("crypt", "libarchive", "cmark-gfm", "gzip")
    allocations_max = 400
    no_allocations = ("archive", "archive_left")  # libarchive ends its process where it finds no memory for a name

    @staticmethod
    def options(folder):
        users = folder / "users"
        users.write_text(USERS, encoding="ascii")
        return ["--upload", "--upload-overwrite", "--archive", "--search", "--markdown", "--compress", "--folder-rules",
                "--auth", f"/private: {users}", "--auth-tries", "1000000"]

    def __init__(self, life, site):
        super().__init__(life, site)
        for name, content in {"private/a.txt": b"private", "page.md": b"# Weirs\n\ntext\n", "noise/noise.bin": NOISE}.items():
            (site.root / name).parent.mkdir(exist_ok=True)
            (site.root / name).write_bytes(content)

    def step_put(self):
        name = f"{next(self.numbers)}.bin"
        head = request(f"/{self.own.name}/{name}", "PUT", f"Content-Length: {len(UPLOAD)}\r\n")
        try:
            with self.connect() as peer:
                peer.send(head + UPLOAD)
                peer.answer(201)
                if (self.own / name).read_bytes() != UPLOAD:
                    raise Wrong("the file that was put is another one")
        finally:
            until(lambda: self.is_settled(name), "end of an upload")
            (self.own / name).unlink(missing_ok=True)

    def is_settled(self, name):
        """The file is whole or missing, and nothing lies beside it. The connection may have ended before the upload did."""
        return all(path.name == name and path.read_bytes() == UPLOAD for path in self.own.iterdir())

    def step_form(self):
        """Two files: each is taken, or named in the answer."""
        files = b"".join(b'--x\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n%s\r\n' % (name, name)
                         for name in (b"one", b"two")) + b"--x--\r\n"
        try:
            with self.connect() as peer:
                peer.send(request(f"/{self.own.name}/", "POST", f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {len(files)}\r\n")
                          + files)
                peer.answer(303)
            for name in ("one", "two"):
                if (self.own / name).read_bytes() != name.encode():
                    raise Wrong(f"{name} of a form is another file")
        finally:
            for name in ("one", "two"):
                (self.own / name).unlink(missing_ok=True)

    def step_put_again(self):
        """In place of a file, which stays if the new one can't be taken."""
        file, old, new = self.own / "same", b"old", b"newer"
        file.write_bytes(old)
        try:
            with self.connect() as peer:
                peer.send(request(f"/{self.own.name}/same", "PUT", f"Content-Length: {len(new)}\r\n") + new)
                peer.answer(204)
            if file.read_bytes() != new:
                raise Wrong("the file was not replaced")
        finally:
            if file.read_bytes() not in (old, new):
                raise Wrong("neither the old file nor the new one")
            file.unlink()

    def step_archive(self):
        with self.connect() as peer:
            body = peer.ask("/folder/?archive=zip").body
            try:
                with zipfile.ZipFile(io.BytesIO(body)) as archive:
                    content = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
            except zipfile.BadZipFile as error:
                raise Wrong(f"a zip archive that is whole and wrong: {error}: {body[:80]!r}") from None
            self.compare_members(content)
            body = peer.ask("/folder/?archive=tar.gz").body
            with tarfile.open(fileobj=io.BytesIO(body)) as archive:
                self.compare_members({member.name: archive.extractfile(member).read() for member in archive if member.isfile()})

    def step_archive_left(self):
        """A client that leaves in the middle of a file."""
        peer = self.connect(receive_buffer=4_096)
        peer.send(request("/noise/?archive=zip"))
        peer.answer_begins()
        peer.reset()

    @staticmethod
    def compare_members(content):
        if content != {"folder/a.txt": b"a", "folder/b.txt": b"b"}:
            raise Wrong(f"an archive of {content}")

    def step_search(self):
        with self.connect() as peer:
            body = peer.ask("/?q=b.txt", fields="Accept: application/json\r\n").body
            if "folder/b.txt" not in str(json.loads(body)):
                raise Wrong(f"a search that does not find: {body!r}")

    def step_markdown(self):
        with self.connect() as peer:
            body = peer.ask("/page.md", fields=BROWSER).body
            if b"<h1>Weirs</h1>" not in body:
                raise Cut("the file in place of its page")

    def step_compressed(self):
        """Anew each time: the file is written again."""
        file = self.own / "text.txt"
        file.write_bytes(TEXT)
        target = f"/{self.own.name}/text.txt"
        try:
            with self.connect() as peer:
                for _ in range(2):
                    self.compare_compressed(peer.ask(target, fields="Accept-Encoding: gzip\r\n"))
                self.compare_compressed(peer.ask("/page/", fields="Accept-Encoding: gzip\r\n"), self.site.page)
        finally:
            file.unlink()

    @staticmethod
    def compare_compressed(answer, content=TEXT):
        zipped = answer.fields.get("content-encoding") == "gzip"
        if (gzip.decompress(answer.body) if zipped else answer.body) != content:
            raise Wrong("a wrong body of compressed content")
        if not zipped and len(content) > 1024:
            raise Cut("it was not compressed")

    def step_rules(self):
        """The rules are read again once they have changed."""
        value = str(next(self.numbers))
        (self.site.root / "_headers").write_text(f"/small.txt\n  X-Rule: {value}\n", encoding="ascii")
        with self.connect() as peer:
            until(lambda: self.has_rule(peer, value), "new rules of the folder")

    def has_rule(self, peer, value):
        """weir looks at them once a second. To ask all the time would be thousands of calls that can fail."""
        self.life.has_ended(RULES_LOOK_SECONDS)
        return peer.ask("/small.txt", body=self.site.small).fields.get("x-rule") == value

    def step_password(self):
        with self.connect() as peer:
            peer.ask("/private/a.txt", status=401)
            peer.ask("/private/a.txt", fields=f"Authorization: Basic {WRONG_PASSWORD}\r\n", status=401)
            peer.ask("/private/a.txt", fields=f"Authorization: Basic {PASSWORD}\r\n", body=b"private")

    @classmethod
    def names(cls, engine):
        return cls.own_names()
