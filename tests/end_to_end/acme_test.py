"""The recipes for certbot and lego, as docs/recipes.md has them, with Pebble as the CA. Debian has these programs; they are looked
for in PATH, and tried only where WEIR_LIVE is set."""

import re
import shlex
import socket
import subprocess
import sys
import tempfile
import unittest
from http.client import HTTPConnection
from pathlib import Path

from pebble import Pebble, held_ports
from served import PATIENCE_SECONDS, SKIPPED, SOURCE, EndToEnd, environment, is_missing

NAME = "example.org"
CLIENT_SECONDS = 60


def section(title):
    text = (SOURCE / "docs" / "recipes.md").read_text(encoding="utf-8")
    return re.search(rf"(?ms)^### {title}\n(.*?)^##", text)[1]


def commands(title):
    """Those of a recipe, in order, as lists of words without `sudo`."""
    found = re.findall(r"(?m)^sudo (?:.*\\\n)*.*$", section(title))
    return [shlex.split(command.replace("\\\n", ""))[1:] for command in found]


class Acme(EndToEnd):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.site = self.folder / "site"
        self.site.mkdir()
        (self.site / "index.html").write_text("hello", encoding="ascii")
        self.http_port, self.https_port = held_ports(self, 2)
        self.pebble = Pebble(self.folder, self.http_port)
        self.addCleanup(self.pebble.close)
        self.places = {":443": f"127.0.0.1:{self.https_port}", ":80": f"127.0.0.1:{self.http_port}", "/srv/site": str(self.site),
                       "/etc/": f"{self.folder}/etc/"}

    def at_home(self, text):
        """A command of the recipe, or a script, with the test's ports and folders."""
        for of_recipe, here in self.places.items():
            text = re.sub(rf"(?<![\w:]){re.escape(of_recipe)}", here, text)
        return text

    def weir(self, words):
        program, *arguments = map(self.at_home, words)
        self.assertEqual(program, "weir")
        return self.start(*arguments, "--engine", self.engine)

    def client(self, words, *more):
        done = subprocess.run([*map(self.at_home, words), *more], capture_output=True, text=True, timeout=CLIENT_SECONDS, check=False,
                              env=environment(**self.pebble.environment))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def shown(self):
        """The serial number of the certificate that a client gets, which trusts it."""
        with socket.create_connection(("127.0.0.1", self.https_port), PATIENCE_SECONDS) as plain:
            with self.pebble.client().wrap_socket(plain, server_hostname=NAME) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n")
                answer = connection.recv(4096).decode()
                self.assertIn("Strict-Transport-Security: ", answer)
                return connection.getpeercert()["serialNumber"]

    def redirected(self):
        connection = HTTPConnection("127.0.0.1", self.http_port, timeout=PATIENCE_SECONDS)
        connection.request("GET", "/")
        status = connection.getresponse().status
        connection.close()
        return status

    def stop(self, server):
        server.process.terminate()
        self.assertEqual(server.wait(), 0)

    def serve_and_renew(self, serve, renew):
        """Two certificates: the one before the renewal, and the one after it."""
        server = self.weir(serve)
        server.wait_for_line("https://")
        first = self.shown()
        self.assertEqual(self.redirected(), 308)
        renew()
        server.wait_for_line(f"certificates were read again: {NAME}")
        self.assertNotEqual(self.shown(), first)
        self.stop(server)

    @unittest.skipIf(is_missing("lego"), "lego is not installed")
    def test_lego(self):
        server = self.weir(["weir", "serve", "/srv/site", "-b", ":80"])
        server.wait_for_banner()
        run, serve, renew = commands("By lego")
        server_option = ["--server", self.pebble.directory]
        self.client([run[0], *server_option, *run[1:]])
        self.stop(server)
        self.serve_and_renew(serve, lambda: self.client([renew[0], *server_option, *renew[1:]], "--days", "9999", "--no-random-sleep"))

    @unittest.skipIf(is_missing("certbot"), "certbot is not installed")
    def test_certbot(self):
        plain, certonly, serve = commands("By certbot")
        server = self.weir(plain)
        server.wait_for_banner()
        here = ["--server", self.pebble.directory, "--non-interactive", "--config-dir", f"{self.folder}/etc/letsencrypt",
                "--work-dir", f"{self.folder}/work", "--logs-dir", f"{self.folder}/logs"]
        self.client(certonly, *here, "--agree-tos", "--register-unsafely-without-email")
        self.stop(server)
        renew = ["certbot", "renew", "--force-renewal", "--no-random-sleep-on-renew", *here]
        self.serve_and_renew(serve, lambda: self.client(renew))

        hook = self.folder / "etc/letsencrypt/renewal-hooks/deploy/weir"
        script = re.search(r"(?ms)^#!/bin/sh\n.*?(?=^```)", section("By certbot"))[0]
        hook.write_text(self.at_home(script.replace("-g www-data ", "")), encoding="ascii")
        hook.chmod(0o755)
        server = self.weir(plain)
        server.wait_for_banner()
        self.client(renew)
        self.stop(server)
        hooked = [word.replace("/etc/letsencrypt/live", "/etc/weir/certificates") for word in serve]
        self.serve_and_renew(hooked, lambda: self.client(renew))


if __name__ == "__main__":
    if reason := is_missing("pebble"):
        print(reason)
        sys.exit(SKIPPED)
    unittest.main()
