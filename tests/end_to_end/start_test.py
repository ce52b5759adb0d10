"""What weir serve shows and opens when it starts."""

import os
import re
import signal
import stat
import tempfile
import unittest
from pathlib import Path

from served import SITE, EndToEnd, processes, run, wait_until

ENGINE_LINE = "^engine "


class Start(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_opens_the_browser_and_leaves_it_alone(self):
        """One FIFO tells what the browser was given; at the other it stays."""
        os.mkfifo(self.folder / "told")
        os.mkfifo(self.folder / "silent")
        browser = self.folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$$ $*" >{self.folder}/told\nread forever <{self.folder}/silent\n', encoding="ascii")
        browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
        server = self.serve(SITE, "--open", BROWSER=f"{browser} --new")
        with open(self.folder / "told", encoding="ascii") as told:
            pid, *arguments = told.readline().split()
        self.addCleanup(os.kill, int(pid), signal.SIGKILL)
        self.assertEqual(arguments, ["--new", server.url])
        wait_until(lambda: list(processes(server.process.pid)) == [server.process.pid])  # neither a child nor a zombie
        self.assertNotEqual(os.getsid(int(pid)), os.getsid(server.process.pid))
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        os.kill(int(pid), 0)  # still there

    def test_says_where_there_is_no_browser_and_serves(self):
        server = self.serve(SITE, "--open", BROWSER="/nowhere/browser", DISPLAY="", WAYLAND_DISPLAY="")
        server.wait_for_line("^weir serve: --open: no browser was found: install xdg-utils or set BROWSER$")
        self.assertEqual(self.fetch(server, "/")[0].status, 200)

    def test_shows_a_code_of_an_address_that_others_reach(self):
        if "qrencode" not in run("--version")[1]:
            self.skipTest("built without libqrencode")
        server = self.serve(SITE, "--qr", "-b", ":0")
        others = []
        while not (line := server.wait_for_line(".*")[0]).startswith("engine "):
            others += re.findall("http://[^ ]*", line)
        if not others:
            self.skipTest("this machine has no address that others reach")
        server.wait_for_line("^\u2588+$")
        server.wait_for_line("^" + re.escape(others[0]) + "$")

    def test_shows_no_code_where_nobody_else_gets_there(self):
        if "qrencode" not in run("--version")[1]:
            self.skipTest("built without libqrencode")
        self.serve(SITE, "--qr").wait_for_line("^weir serve: --qr: no other device can connect; add --bind 0.0.0.0$")

    def test_says_how_to_get_a_listing_where_others_find_none(self):
        self.serve(self.folder, "-b", "0.0.0.0").wait_for_line("^note: the folder has no index file, .* --listing lists its files$")
        for options in (["-b", "0.0.0.0", "--listing"], ["-b", "0.0.0.0", "--index", "told"], ["-b", "127.0.0.1"]):
            (self.folder / "told").touch()
            server = self.serve(self.folder, *options)
            server.signal(signal.SIGTERM)
            self.assertEqual(server.wait(), 0)
            self.assertFalse([line for line in server.lines if "no index file" in line], options)

    def test_takes_a_port_alone_and_a_port_of_every_address(self):
        self.assertEqual(self.serve(SITE, "-b", "0").host, "127.0.0.1")
        server = self.serve(SITE, "-b", "*:0")
        self.assertEqual(self.fetch(server, "/")[0].status, 200)


if __name__ == "__main__":
    unittest.main()
