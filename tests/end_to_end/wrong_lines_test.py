"""What newcomers type, and which part of it the message says is wrong."""

import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

import served
from served import run

# Exit code 2, one line, and these words in it. `{folder}` has `site/`, `fifo` and `socket`.
LINES = (
    # PATH, or what took its place
    ("serve 8080", "the port is given by --port 8080"),
    ("serve . 8080", "unexpected argument '8080'; the port is given by --port 8080"),
    ("serve --listing 8080", "the port is given by --port 8080"),
    ("serve --bind 127.0.0.1 8080", "the port is given by --port 8080"),
    ("target 8080", "the port is given by --port 8080"),
    ("serve localhost:3000", "an address is given by --bind localhost:3000"),
    ("serve :8080", "an address is given by --bind :8080"),
    ("serve 0.0.0.0", "an address is given by --bind 0.0.0.0"),
    ("serve unix:/tmp/weir.sock", "an address is given by --bind unix:/tmp/weir.sock"),
    ("serve http://localhost:3000/x", "an address to listen on is given by --bind localhost:3000"),
    ("serve http://example.org/", "PATH is a folder or a file, and no URL"),
    ("serve file:///srv/site", "PATH is no URL: /srv/site"),
    ("serve port=8080", "did you mean --port=8080?"),
    ("serve . port 8080", "did you mean --port?"),
    ("serve \u2013\u2013port 8080", "its dash is not '-': write --port"),
    ("serve \u2013p 8080", "its dash is not '-': write -p"),
    ("serve -\u2013port 8080", "its dash is not '-': write --port"),
    ("serve \u2014port 8080", "its dash is not '-': write --port"),
    ("serve . --compress br,gzip", "codings are given by --compress=br,gzip"),
    ("serve --listing yes", "an option such as --listing takes no value after a space"),
    ("serve ''", "it is empty, as is a variable of the shell that is not set"),
    ("serve '~/nowhere'", "the shell replaces ~ only where a word begins with it"),
    ("serve --root='~/nowhere'", "--root: there is no folder or file '~/nowhere'; the shell replaces ~"),
    ("serve 'nowhere/*'", "no pattern"),
    ("serve -", "weir does not read standard input"),
    # ports
    ("serve -p=8080", "write -p 8080"),
    ("serve --port:8080", "did you mean --port 8080?"),
    ("serve -p :8080", "an address is given by --bind :8080"),
    ("serve -p 0.0.0.0:80", "an address is given by --bind 0.0.0.0:80"),
    ("serve -p 80,443", "for several, give --bind for each"),
    ("serve -4", "unknown option -4; for IPv4: --bind 0.0.0.0"),
    ("serve -8080", "unknown option -8080"),
    # addresses
    ("serve --admin 127.0.0.1", "--admin: '127.0.0.1' has no port; write 127.0.0.1:9100"),
    ("serve --admin [::1]", "--admin: '[::1]' has no port; write [::1]:9100"),
    ("reload", "--control is missing: the socket of the server, which WEIR_CONTROL may name"),
    ("serve --bind 127.0.0.1:99999", "--bind: the port of '127.0.0.1:99999' is above 65535"),
    ("serve --bind localhost:65536", "the port of 'localhost:65536' is above 65535"),
    ("serve --bind [::1]:65536", "the port of '[::1]:65536' is above 65535"),
    ("serve --bind 65536", "'65536' is no port: ports end at 65535"),
    ("serve --bind 127.0.0.1:", "'127.0.0.1:' has no port after its colon"),
    ("serve --bind 127.0.0.1:http", "the port of '127.0.0.1:http' is not a number: 'http'"),
    ("serve --bind 8080:80", "'8080' is a port, where the address should be"),
    ("serve --bind http://0.0.0.0:80/", "is a URL, and an address has no scheme and no path: 0.0.0.0:80"),
    ("serve --bind https://example.org", "is a URL, and an address has no scheme and no path"),
    ("serve --bind tcp://[::1]:80", "no path: [::1]:80"),
    ("serve --bind lo", "'lo' is an interface; give its address: 127.0.0.1"),
    ("serve --bind lo:8080", "'lo' is an interface; give its address: 127.0.0.1"),
    ("serve --bind 192.168.1", "'192.168.1' is not an IPv4 address: it has four numbers up to 255"),
    ("serve --bind 192.168.1.300:80", "'192.168.1.300' is not an IPv4 address"),
    ("serve --bind [::1", "has no ']' after its IPv6 address"),
    ("serve --bind [::1]8080", "has no ':' between the address and its port"),
    ("serve --bind [127.0.0.1]:80", "'127.0.0.1' is not an IPv6 address, and has brackets"),
    ("serve --bind ::g", "'::g' is not an IPv6 address such as ::1"),
    ("serve --bind fe80::1%nowhere0", "names an interface that this machine does not have: 'nowhere0'"),
    ("serve --bind 10.0.0.0/8", "'10.0.0.0/8' is a network; an address is 10.0.0.0"),
    ("serve --bind 127.0.0.1:80/x", "has a path, and an address has none"),
    ("serve --bind /run/weir.sock", "a unix socket is given as unix:/run/weir.sock"),
    ("serve --bind unix:", "'unix:' names no path"),
    ("serve --bind unix:/" + "a" * 107, "at most 107 bytes, and '/" + "a" * 107 + "' has 108"),
    ("serve --bind 127.0.0.1,::1", "give each address by itself"),
    ("serve --bind ''", "the address is empty"),
    ("serve --cors=", "--cors= has no value: write --cors=ORIGIN, or --cors alone"),
    ("serve --bind example.org", "weir looks up no names"),
    ("serve --tls --tls-redirect http://:80", "is a URL, and an address has no scheme and no path: :80"),
    # origins
    ("serve --cors example.org", "--cors: 'example.org' is not an origin; write --cors=https://example.org"),
    ("serve --cors localhost:3000", "write --cors=http://localhost:3000"),
    ("serve --cors --spa --cors example.org site", "'example.org' is not an origin"),
    # rules and numbers
    ("serve --header X-Frame-Options:DENY", "'/**' stands for all files"),
    ("serve --cache-control 3600", "'/**' stands for all files"),
    ("serve --workers auto", "without the option, the default holds"),
    # options of other servers
    ("serve --auth me:secret", "what follows the colon is no file; `weir password me >FILE` makes one"),
    ("serve --auth=me:secret", "what follows the colon is no file"),
    ("serve --basic-auth me:secret", "passwords are asked for by --auth FILE"),
    ("serve --gzip", "text is compressed by --compress"),
    ("serve -g", "text is compressed by --compress"),
    ("serve --allow-upload", "files are taken by --upload, or for one folder of the site by --upload=/PATH"),
    ("serve -u", "files are taken by --upload"),
    ("serve --dav", "by WebDAV: --upload with --webdav"),
    ("serve --upload=incoming", "is not the path of a folder of the site, such as /incoming"),
    ("serve --upload-max 1K", "--upload-max needs --upload"),
    ("serve -b 0.0.0.0 --upload", "anyone could put files there; add --upload-auth FILE"),
    ("serve --config weir.conf", "weir.conf:1:1: the file can't be read: No such file or directory"),
    ("serve -c weir.conf", "a configuration file, in TOML, is given by --config"),
    ("check-config", "missing FILE"),
    ("check", "weir check-config FILE checks the file"),
    ("serve --directory site", "the folder stands alone, as in weir serve FOLDER"),
    ("serve -d site", "the folder stands alone"),
    ("serve --host 0.0.0.0", "the address is given by --bind"),
    ("serve --browse", "folders are listed by --listing"),
    ("serve --single", "unknown paths get the index page by --spa"),
    ("serve --ssl", "for HTTPS: --tls"),
    ("serve --cert a.pem", "the certificate is given by --tls-cert"),
    ("serve --hidden", "hidden files are served by --dotfiles"),
    ("serve --daemon", "weir stays in the foreground"),
    ("serve --threads 4", "the number of threads or processes is given by --workers"),
    ("serve --proxy http://localhost:3000", "is no path and a server"),
    ("serve --proxy-pass http://localhost:3000", "--proxy '/api: http://127.0.0.1:3000'"),
    ("serve --http3", "no HTTP/3"),
    ("serve -V", "the version is shown by weir version"),
    ("target --threads 4", "the number of threads or processes is given by --workers"),
    # commands
    ("8080", "the port is given by --port 8080 (weir serve)"),
    (":8080", "an address is given by --bind :8080 (weir serve)"),
    ("{folder}/site/index.html", "to serve that file: weir serve {folder}/site/index.html"),
    ("file-server", "to serve the current folder: weir serve"),
    ("quit", "weir is stopped by Ctrl-C, by SIGTERM, or by weir stop"),
    ("restart", "weir reload"),
)

# In a network namespace of its own, whose interfaces are down and have no address.
ISOLATED = ("unshare", "--map-root-user", "--net", "--")


class WrongLines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "site").mkdir()
        (self.folder / "site/index.html").touch()
        os.mkfifo(self.folder / "fifo")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(str(self.folder / "socket"))

    def test_the_wrong_part_is_named(self):
        for line, words in LINES:
            with self.subTest(line=line):
                status, said, error = run(*shlex.split(line.replace("{folder}", str(self.folder))))
                self.assertEqual((status, said, error.count("\n")), (2, "", 1), error)
                self.assertIn(words.replace("{folder}", str(self.folder)), error)

    def test_a_file_of_that_name_is_served_all_the_same(self):
        """A folder named 8080 is a PATH, and an origin's name a file."""
        for name in ("8080", "example.org"):
            (self.folder / name).mkdir()
            server = served.Server("serve", "--cors", f"{self.folder}/{name}", "--port", "0")
            self.addCleanup(server.stop)
            server.wait_for_banner()

    def test_a_folder_that_was_deleted_is_told(self):
        gone = self.folder / "gone"
        gone.mkdir()
        done = subprocess.run(["sh", "-c", 'rmdir "$PWD" && exec "$0" serve', served.binary()], cwd=gone, capture_output=True,
                              text=True, env=served.environment(), timeout=served.PATIENCE_SECONDS, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "weir serve: cannot serve '.': the folder was deleted\n"))

    def test_what_is_neither_a_folder_nor_a_file_is_told(self):
        for path, kind in ((self.folder / "fifo", "is a pipe"), (self.folder / "socket", "is a socket (--bind unix:PATH listens on one)"),
                           ("/dev/null", "is a device")):
            status, said, error = run("serve", path)
            self.assertEqual((status, said, error), (1, "", f"weir serve: cannot serve '{path}': it {kind}, and neither a folder nor a regular file\n"))

    def test_a_variable_that_kubernetes_sets_is_explained(self):
        status, _, error = run("serve", WEIR_PORT="tcp://10.0.0.1:80")
        self.assertEqual(status, 2)
        self.assertIn("WEIR_PORT: 'tcp://10.0.0.1:80' is not a number from 0 to 65535; Kubernetes sets it", error)


class Listening(unittest.TestCase):
    """What only the system knows: exit code 1."""

    def assert_told(self, words, *arguments):
        status, said, error = run("serve", *arguments)
        self.assertEqual((status, said, error.count("\n")), (1, "", 1), error)
        self.assertIn(words, error)

    def test_what_is_missing_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assert_told(f"; there is no folder {folder}/nowhere", "--bind", f"unix:{folder}/nowhere/weir.sock")
            (Path(folder) / "file").touch()
            self.assert_told("; that file is no socket", "--bind", f"unix:{folder}/file")
        self.assert_told("; this machine has no such address", "--bind", "198.51.100.1")
        self.assert_told("with a port: [::1]:8080", "--bind", "::1:8080")
        self.assert_told("needs its interface: fe80::1%eth0", "--bind", "fe80::1")


@unittest.skipUnless(shutil.which("unshare") and subprocess.run([*ISOLATED, "true"], capture_output=True, check=False).returncode == 0,
                     "no network namespace can be made")
class Isolated(unittest.TestCase):
    def start(self, *arguments):
        """A server without any network, and what it says on standard error until its first line that matches."""
        process = subprocess.Popen([*ISOLATED, served.binary(), "serve", str(served.SITE), *arguments], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=served.environment(),
                                   preexec_fn=served.die_with_parent)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_an_address_of_ipv6_where_there_is_none(self):
        process = self.start("--bind", "[::]:8000")
        self.assertEqual(process.wait(served.PATIENCE_SECONDS), 1)
        self.assertEqual(process.stdout.read(), "weir serve: nobody could connect to [::]:8000, as IPv6 is switched off; use --bind "
                         "127.0.0.1, or --bind 0.0.0.0 to let others in\n")

    def test_a_code_for_nobody(self):
        if "qrencode" not in run("--version")[1]:
            self.skipTest("built without libqrencode")
        process = self.start("--bind", ":8000", "--qr")
        told = next(line for line in process.stdout if "--qr" in line)
        self.assertEqual(told, "weir serve: --qr: no other device can connect; this machine has no address in a network\n")


if __name__ == "__main__":
    unittest.main()
