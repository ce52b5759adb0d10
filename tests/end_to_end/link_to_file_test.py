"""One file is served, and its path leads elsewhere: its link is exchanged, or its folder is made again."""

import os
import shutil
import threading
import unittest

from served import Clients, InAFolder, fetch, for_each_engine, wait_until


class Asking(Clients):
    """A client that asks for the file, until it is told to stop."""

    def __init__(self, port, allowed):
        self.port, self.allowed, self.wrong, self.goes = port, allowed, [], True
        self.threads = [threading.Thread(target=self.run)]

    def run(self):
        while self.goes and not self.wrong:
            response, body = fetch(self.port, "/")
            if (response.status, body) not in self.allowed:
                self.wrong.append((response.status, body))

    def __exit__(self, *raised):
        self.goes = False
        super().__exit__(*raised)


class Writing(InAFolder):
    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")

    def exchange(self, link, target):
        """As `ln -sfn` does it, in one step."""
        new = self.top / "new"
        new.symlink_to(target)
        new.rename(link)

    def answers(self, status, body=b""):
        def answered():
            response, content = self.fetch(self.server, "/")
            return response.status == status and (status != 200 or content == body)
        return answered


@for_each_engine
class LinkToFile(Writing):
    def test_it_is_exchanged(self):
        """Another name, another folder, a relative and an absolute target. Each answer is of a file that was meant."""
        link = self.top / "latest.txt"
        texts = [b"one", b"two", b"three", b"four"]
        for number, text in enumerate(texts):
            self.write(self.top / f"reports{number // 2}" / f"{number}.txt", text.decode())
        link.symlink_to("reports0/0.txt")
        self.server = self.serve(link)
        with Asking(self.server.port, [(200, text) for text in texts]) as asking:
            for number, text in enumerate(texts):
                place = f"reports{number // 2}/{number}.txt"
                self.exchange(link, place if number % 2 else self.top / place)
                wait_until(self.answers(200, text))
        self.assertEqual(asking.wrong, [])
        wait_until(lambda: self.fetch(self.server, "/latest.txt")[1] == b"four")  # each worker of prefork follows by itself
        for hidden in ("/3.txt", "/2.txt", "/reports1/3.txt"):
            self.assertEqual(self.fetch(self.server, hidden)[0].status, 404)


class Once(Writing):
    def test_its_folder_is_made_again(self):
        file = self.top / "dist" / "page.html"
        self.write(file, "one")
        self.server = self.serve(file)
        self.assertTrue(self.answers(200, b"one")())
        shutil.rmtree(file.parent)
        wait_until(self.answers(503))
        self.write(file, "two")
        wait_until(self.answers(200, b"two"))
        file.unlink()
        wait_until(self.answers(404))
        self.write(file, "three")
        wait_until(self.answers(200, b"three"))

    def test_a_link_on_its_way_is_exchanged(self):
        for number in ("one", "two"):
            self.write(self.top / "releases" / number / "page.html", number)
        (self.top / "current").symlink_to("releases/one")
        (self.top / "page").symlink_to("current/page.html")
        self.server = self.serve(self.top / "page")
        self.assertTrue(self.answers(200, b"one")())
        self.exchange(self.top / "current", "releases/two")
        wait_until(self.answers(200, b"two"))
        self.exchange(self.top / "current", "releases/three")
        wait_until(self.answers(503))
        self.server.wait_for_line("requests get 503 until its path leads to one again")
        self.write(self.top / "releases" / "three" / "page.html", "three")
        wait_until(self.answers(200, b"three"))

    def test_the_link_becomes_a_file(self):
        self.write(self.top / "old.txt", "old")
        (self.top / "page").symlink_to("old.txt")
        self.server = self.serve("page", cwd=self.top)
        self.assertTrue(self.answers(200, b"old")())
        self.write(self.top / "made", "new")
        os.rename(self.top / "made", self.top / "page")
        wait_until(self.answers(200, b"new"))

    def test_the_sandbox_says_where_it_follows(self):
        self.write(self.top / "in" / "old.txt", "old")
        (self.top / "links").mkdir()
        (self.top / "links" / "page").symlink_to("../in/old.txt")
        self.server = self.serve(self.top / "links" / "page", "-v")
        said = self.server.wait_for_line("sandbox: another folder may take the place of this one below (.*)$")[1]
        self.assertEqual(said, f"{self.top}, {self.top}/in, {self.top}/links")


if __name__ == "__main__":
    unittest.main()
