"""The root's path leads elsewhere while clients ask: a build makes the folder again, a deployment exchanges a link.

usage: root_test.py [REQUESTS]: so many requests for each engine and case, 400 if nothing else is said"""

import http.client
import os
import shutil
import subprocess
import sys
import threading
import unittest

from served import PATIENCE_SECONDS, Clients, InAFolder, KeptConnection, for_each_engine, wait_until

REQUESTS = int(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].isdigit() else 400
CLIENTS = 3
REQUESTS_PER_CONNECTION = 20
RETRY_AFTER = "1"


def release(number):
    """The content of a small file, and of one that the cache keeps open."""
    return {"small.txt": f"release {number}\n".encode(), "large.txt": f"release {number}\n".encode() * 4_000}


def write(folder, number):
    folder.mkdir(parents=True)
    for name, content in release(number).items():
        (folder / name).write_bytes(content)


class Load(Clients):
    """Clients that ask for the files of whatever release is served. An answer is of one release, or has a status of `others`."""

    def __init__(self, port, others=()):
        self.port, self.others = port, others
        self.latest = 1  # that has been begun
        self.wrong, self.answered = [], 0
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.run, args=(REQUESTS // CLIENTS,)) for _ in range(CLIENTS)]

    def run(self, count):
        try:
            while count > 0 and not self.wrong:
                answered = self.ask(min(count, REQUESTS_PER_CONNECTION))
                count -= answered
                with self.lock:
                    self.answered += answered
        except (OSError, http.client.HTTPException) as lost:
            self.wrong.append(f"{type(lost).__name__} {lost}")

    def ask(self, count):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            kept = KeptConnection(connection)
            for number in range(count):
                name = ("small.txt", "large.txt")[number % 2]
                if not (answer := kept.ask(f"/{name}")):  # a server of one at a time does not wait long for a client
                    return number
                self.judge(name, *answer)
                if answer[0].will_close:
                    return number + 1
            return count
        finally:
            connection.close()

    def judge(self, name, response, body):
        if response.status == 200:
            number = body.split(b"\n", 1)[0].removeprefix(b"release ")
            is_right = number.isdigit() and int(number) <= self.latest and body == release(int(number))[name]
        else:
            is_right = response.status in self.others
            is_right = is_right and (response.status != 503 or response.headers["Retry-After"] == RETRY_AFTER)
        if not is_right:
            self.wrong.append(f"{name}: {response.status} {body[:60]!r}, {len(body)} bytes")


@for_each_engine
class Root(InAFolder):
    def serves(self, number):
        return lambda: self.fetch(self.server, "/small.txt")[1] == release(number)["small.txt"]

    def expect(self, load, changes):
        print(f"{self.engine}: {load.answered} requests, {changes} changes, {len(load.wrong)} wrong")
        self.assertEqual(load.wrong, [])

    def exchange(self, target):
        """As `ln -sfn` does it, in one step."""
        new = self.top / "new"
        new.symlink_to(target)
        new.rename(self.top / "current")

    def test_a_link_is_exchanged(self):
        write(self.top / "releases" / "1" / "public", 1)
        self.exchange("releases/1")
        self.server = self.serve(self.top / "current" / "public")
        number = 1
        with Load(self.server.port) as load:
            while load.goes_on() or number == 1:
                number += 1
                load.latest = number
                write(self.top / "releases" / str(number) / "public", number)
                self.exchange(self.top / f"releases/{number}")
                shutil.rmtree(self.top / "releases" / str(number - 1))  # though some have not heard of the new one yet
                wait_until(self.serves(number))
        self.expect(load, number - 1)
        self.assertNotIn("requests get 503", "".join(self.server.lines))

    def test_the_folder_is_made_again(self):
        dist = self.top / "dist"
        write(dist, 1)
        self.server = self.serve(dist)
        number = 1
        with Load(self.server.port, others=(404, 503)) as load:
            while load.goes_on() or number == 1:
                number += 1
                load.latest = number
                shutil.rmtree(dist)
                write(self.top / "made", number)  # or a client might see half of a file
                dist.mkdir()
                for made in sorted((self.top / "made").iterdir()):
                    made.rename(dist / made.name)
                (self.top / "made").rmdir()
                wait_until(self.serves(number))
        self.expect(load, number - 1)

    def test_an_old_asset_stays_for_a_while(self):
        for number in (1, 2):
            write(self.top / "releases" / str(number), number)
            (self.top / "releases" / str(number) / f"main-{number}f2a1b9c.js").write_text(f"release {number}", encoding="ascii")
        (self.top / "releases" / "1" / "only-here.txt").write_text("release 1", encoding="ascii")
        self.exchange("releases/1")
        self.server = self.serve(self.top / "current", "--keep-old", "1h")
        self.assertTrue(self.serves(1)())
        self.exchange("releases/2")
        for _ in range(8):  # each worker of prefork hears of it by itself
            wait_until(self.serves(2))
        for number in (1, 2):
            for _ in range(8):
                wait_until(lambda number=number: self.fetch(self.server, f"/main-{number}f2a1b9c.js")[1] == b"release %d" % number)
        wait_until(lambda: self.fetch(self.server, "/only-here.txt")[0].status == 404)

    def is_away(self, file):
        response, body = self.fetch(self.server, file)
        if response.status != 503:
            return False
        self.assertEqual(response.headers["Retry-After"], RETRY_AFTER)
        self.assertIn(b"503", body)
        return True

    def test_it_is_gone_for_a_moment(self):
        site = self.top / "site"
        write(site, 1)
        self.server = self.serve(site)
        self.assertTrue(self.serves(1)())
        site.rename(self.top / "elsewhere")
        for file in ("/small.txt", "/no.txt"):  # each worker of prefork hears of it by itself
            wait_until(lambda file=file: self.is_away(file))
        self.server.wait_for_line(r"the folder that is served was gone, or could not be read(, \d+ times)? \(.*: No such file or directory\): requests get 503 until")
        (self.top / "elsewhere").rename(site)
        wait_until(self.serves(1))


class Once(InAFolder):
    """What does not depend on the engine."""

    def text(self, server):
        return self.fetch(server, "/a.txt")[1]

    def test_the_working_folder_is_made_again(self):
        site = self.top / "site"
        site.mkdir()
        (site / "a.txt").write_text("one", encoding="ascii")
        server = self.serve(".", cwd=site)
        self.assertIn(str(site), "".join(server.lines[:1]))
        self.assertEqual(self.text(server), b"one")
        shutil.rmtree(site)
        site.mkdir()
        (site / "a.txt").write_text("two", encoding="ascii")
        wait_until(lambda: self.text(server) == b"two")

    def test_the_sandbox_says_where_it_follows(self):
        (self.top / "releases" / "1").mkdir(parents=True)
        (self.top / "current").symlink_to("releases/1")
        server = self.serve(self.top / "current", "-v")
        said = server.wait_for_line("sandbox: another folder may take the place of this one below (.*)$")[1]
        top = os.path.realpath(self.top)
        self.assertEqual(said, f"{top}, {top}/releases")

    def test_a_folder_that_the_sandbox_does_not_allow_is_not_served(self):
        (self.top / "in" / "site").mkdir(parents=True)
        (self.top / "in" / "site" / "a.txt").write_text("one", encoding="ascii")
        (self.top / "out").mkdir()
        (self.top / "out" / "a.txt").write_text("two", encoding="ascii")
        server = self.serve(self.top / "in" / "site", "-v")
        if not any("files (Landlock" in line for line in server.lines):
            self.skipTest("no Landlock here")
        self.assertEqual(self.text(server), b"one")
        shutil.rmtree(self.top / "in" / "site")
        (self.top / "in" / "site").symlink_to(self.top / "out")
        wait_until(lambda: self.fetch(server, "/a.txt")[0].status == 503)
        server.wait_for_line("requests get 503 until .*; where the sandbox does not allow a new folder .*, weir must start again")

    def test_a_mount_over_it_is_served(self):
        site, other = self.top / "site", self.top / "other"
        for folder, text in ((site, "one"), (other, "two")):
            folder.mkdir()
            (folder / "a.txt").write_text(text, encoding="ascii")
        own_mounts = ["unshare", "--mount"]
        if subprocess.run([*own_mounts, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no namespace of mounts can be made here")
        server = self.serve(site, prefix=own_mounts)
        self.assertEqual(self.text(server), b"one")
        there = ["nsenter", "--target", str(server.process.pid), "--mount"]
        subprocess.run([*there, "mount", "--bind", other, site], check=True)
        wait_until(lambda: self.text(server) == b"two")
        subprocess.run([*there, "umount", "--lazy", site], check=True)
        wait_until(lambda: self.text(server) == b"one")


if __name__ == "__main__":
    unittest.main()
