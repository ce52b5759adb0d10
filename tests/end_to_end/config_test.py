"""A configuration file: several sites, precedence, errors with places, what is printed, and the schema for editors."""

import base64
import contextlib
import json
import signal
import socket
import ssl
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

from authority import Authority
from served import PATIENCE_SECONDS, SOURCE, EndToEnd, binary, environment, exchange, for_each_engine, run

try:
    import jsonschema
except ImportError:
    jsonschema = None


class Files(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            (self.folder / name / "index.html").write_text(name, encoding="ascii")

    def write(self, text, name="weir.toml"):
        file = self.folder / name
        file.write_text(text, encoding="utf-8")
        return file

    def serve_file(self, text, *options, **added):
        return self.start("serve", "--config", self.write(text), "--port", "0", "--engine", self.engine, *options, **added).wait_for_banner()

    def check(self, text, *options):
        """(exit status, what is wrong without the name of the file)."""
        file = self.write(text)
        status, _, errors = run("check-config", file, *options)
        return status, [line.removeprefix(f"{file}:") for line in errors.splitlines()]


SITES = """
header = "/**: X-All: 1"

[[site]]
host = ["a.example", "*.a.example"]
root = "a"

[[site]]
host = "b.example"
root = "b"
header = ["/**: X-B: 1"]
spa = true
"""


@for_each_engine
class Sites(Files):
    def test_are_chosen_by_host(self):
        server = self.serve_file(SITES)
        connection = self.connect(server)
        for host, body in (("a.example", b"a"), ("A.Example:81", b"a"), ("x.y.a.example", b"a"), ("b.example", b"b"), ("a.example", b"a")):
            response, got = exchange(connection, "/", Host=host)
            self.assertEqual((response.status, got), (200, body), host)
            self.assertEqual((response.headers["X-All"], response.headers["X-B"]), ("1", None) if body == b"a" else (None, "1"))
        self.assertEqual(exchange(connection, "/none", Host="b.example")[1], b"b")
        self.assertEqual(exchange(connection, "/none", Host="a.example")[0].status, 404)
        self.assertEqual(exchange(connection, "/", Host="c.example")[0].status, 421)

    def test_one_is_for_all_other_hosts(self):
        server = self.serve_file(SITES + "default = true\n")
        self.assertEqual(self.fetch(server, "/", Host="c.example")[1], b"b")


class Behaviour(Files):
    def test_the_file_itself_is_not_served(self):
        server = self.start("serve", "--config", self.write('root = "."\ndotfiles = true\nlisting = true\n'), "--port", "0").wait_for_banner()
        self.assertEqual(self.fetch(server, "/a/")[1], b"a")
        self.assertEqual(self.fetch(server, "/weir.toml")[0].status, 404)

    @unittest.skipUnless(" crypt" in run("--version")[1], "built without libcrypt")
    def test_each_site_has_its_own_users_and_the_log_names_them(self):
        made = subprocess.run([binary(), "password", "ada"], input="secret\n", capture_output=True, text=True, env=environment(), check=True)
        (self.folder / "users").write_text(made.stdout, encoding="ascii")
        log = self.folder / "log"
        server = self.serve_file(SITES.replace('root = "a"', 'root = "a"\nauth = "users"'), "--access-log", log, "--workers", "1")  # in order
        ada = {"Authorization": "Basic " + base64.b64encode(b"ada:secret").decode()}
        self.assertEqual(self.fetch(server, "/", Host="a.example")[0].status, 401)
        self.assertEqual(self.fetch(server, "/", Host="a.example", **ada)[1], b"a")
        self.assertEqual(self.fetch(server, "/", Host="b.example", **ada)[1], b"b")
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        self.assertEqual([line.split()[2] for line in log.read_text("ascii").splitlines()], ["-", "ada", "-"])

    @unittest.skipUnless("openssl" in run("--version")[1], "built without OpenSSL")
    def test_each_has_a_certificate_of_its_own(self):
        authority = Authority(self.folder)
        text = SITES.replace("[[site]]", "tls = true\n[[site]]", 1)
        for name in ("a", "b"):
            authority.issue(name, f"{name}.example")
            text = text.replace(f'root = "{name}"', f'root = "{name}"\ntls-cert = "{name}.pem"\ntls-key = "{name}.key"')
        server = self.serve_file(text)
        context = ssl.create_default_context(cafile=str(authority.certificate))
        for name in ("a", "b"):
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as plain, \
                    context.wrap_socket(plain, server_hostname=f"{name}.example") as channel:
                channel.sendall(f"GET / HTTP/1.0\r\nHost: {name}.example\r\n\r\n".encode())
                self.assertTrue(channel.makefile("rb").read().endswith(b"\r\n\r\n" + name.encode()))

    def test_curl_gets_the_site_whose_address_it_was_told(self):
        server = self.serve_file(SITES)
        done = subprocess.run(["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--resolve", f"b.example:{server.port}:127.0.0.1",
                               f"http://b.example:{server.port}/"], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
        self.assertEqual(done.stdout, "b")

    def test_sites_serve_new_files_in_the_sandbox(self):
        server = self.serve_file(SITES)
        for name in ("a", "b"):
            (self.folder / name / "new.txt").write_text("new", encoding="ascii")
            self.assertEqual(self.fetch(server, "/new.txt", Host=f"{name}.example")[1], b"new")

    def test_the_banner_names_the_sites(self):
        server = self.start("serve", "--config", self.write(SITES), "--port", "0")
        self.assertTrue(server.wait_for_line("serves 2 sites: a.example, b.example$"))

    def test_the_command_line_goes_before_variables_and_these_before_the_file(self):
        file = self.write('root = "a"\nport = 1\nmax-requests = 1\n')
        def settings(*options, **added):
            return tomllib.loads(run("serve", "--config", file, "--print-config", *options, **added)[1])
        self.assertEqual(settings()["max-requests"], 1)
        self.assertEqual(settings(WEIR_MAX_REQUESTS="2")["max-requests"], 2)
        self.assertEqual(settings("--max-requests", "3", WEIR_MAX_REQUESTS="2")["max-requests"], 3)
        self.assertEqual(settings("b")["root"], str(Path.cwd() / "b"))
        self.assertEqual(settings(), {"root": str(self.folder / "a"), "port": 1, "max-requests": 1})

    def test_a_variable_names_the_file(self):
        file = self.write('root = "b"\n')
        server = self.start("serve", "--port", "0", WEIR_CONFIG=str(file)).wait_for_banner()
        self.assertEqual(self.fetch(server, "/")[1], b"b")

    def test_a_wrong_file_is_told_in_one_line(self):
        file = self.write("prt = 1\nport = 'x'\n")
        status, output, errors = run("serve", "--config", file)
        self.assertEqual((status, output), (2, ""))
        self.assertEqual(errors, f"weir serve: {file}:1:1: unknown key 'prt'; did you mean port?; 1 more: see weir check-config\n")
        self.assertEqual(run("serve", "--config", self.folder / "none")[0], 2)


class Check(Files):
    def test_of_a_good_file(self):
        file = self.write(SITES)
        self.assertEqual(run("check-config", file), (0, f"{file}: good\n", ""))
        self.assertEqual(json.loads(run("check-config", "--json", file)[1]), {"file": str(file), "good": True, "problems": []})

    def test_names_every_problem_with_its_place(self):
        status, problems = self.check('root = "none"\naccess-log = "none/log"\n')
        self.assertEqual(status, 2)
        self.assertEqual([line.split(": ")[0] for line in problems], ["1:1", "2:1"])
        status, problems = self.check(SITES.replace('"b"', '"none"'))
        self.assertEqual((status, len(problems)), (2, 1))
        self.assertTrue(problems[0].startswith("10:1: root: "), problems)
        self.assertEqual(self.check('root = "a"\ntls-cert = "none"\n')[1][0][:14], "2:1: tls-cert:")
        self.assertTrue(self.check("a = \n")[1][0].startswith("1:5: not TOML: "))
        self.assertEqual(self.check('no-listing = true\nlisting = true\n')[1],
                         ["2:1: listing and --no-listing cannot be combined"])

    def test_as_json(self):
        file = self.write('port = "ä"\n')
        status, output, _ = run("check-config", "--json", file)
        self.assertEqual(status, 2)
        problem, = json.loads(output)["problems"]
        self.assertEqual((problem["line"], problem["column"]), (1, 8))
        self.assertIn("'ä'", problem["message"])

    def test_does_not_ask_variables(self):
        self.assertEqual(run("check-config", self.write('root = "a"\n'), WEIR_PORT="x")[0], 0)


class Printed(Files):
    def test_file_says_the_same(self):
        options = [self.folder / "a", "-b", "::1", "-b", "127.0.0.1", "--header", "*.css: X-A: \"x\"", "--cors", "--tls-handshakes", "7",
                   "--tls", "-w", "3", "--head-timeout", "500ms", "--listing"]
        status, printed, errors = run("serve", *options, "--print-config")
        self.assertEqual((status, errors), (0, ""))
        file = self.write(printed)
        self.assertEqual(run("serve", "--config", file, "--print-config")[1], printed)
        self.assertEqual(run("check-config", file)[0], 0)
        settings = tomllib.loads(printed)
        self.assertEqual(settings, {"root": str(self.folder / "a"), "listing": True, "header": ["*.css: X-A: \"x\""], "cors": [True],
                                    "bind": ["::1", "127.0.0.1"], "workers": 3, "tls": True, "tls-handshakes": 7, "head-timeout": "500ms"})
        everything = self.write(run("serve", *options, "--print-config=all")[1], "all.toml")
        self.assertEqual(tomllib.loads(everything.read_text("utf-8")), settings)

    def test_file_has_a_placeholder_for_each_hash_and_is_refused_until_it_is_filled_in(self):
        hash_of_ada = "$2b$05$CCCCCCCCCCCCCCCCCCCCC.pIKrLVkBX9/OvQMSygY1pWEVn72t6na"
        options = [self.folder / "a", "--auth-user", f"ada:{hash_of_ada}"]
        for argument in ("--print-config", "--print-config=all"):
            status, printed, errors = run("serve", *options, argument)
            self.assertEqual((status, errors), (0, ""))
            self.assertNotIn("$2b$", printed)
            self.assertTrue(printed.startswith("# Put a hash in place of each (hash not shown); `weir password NAME` makes one.\n"))
            self.assertEqual(tomllib.loads(printed), {"root": str(self.folder / "a"), "auth-user": ["ada:(hash not shown)"]})
            status, _, errors = run("check-config", self.write(printed))
            self.assertEqual(status, 2)
            self.assertIn("auth-user: the text has a plain password or a hash that weir does not know", errors)
            self.assertEqual(run("check-config", self.write(printed.replace("(hash not shown)", hash_of_ada)))[0], 0)

    def test_file_with_sites_says_the_same(self):
        printed = run("serve", "--config", self.write(SITES), "--print-config")[1]
        self.assertEqual(run("serve", "--config", self.write(printed, "again.toml"), "--print-config")[1], printed)


@unittest.skipUnless(jsonschema, "python3-jsonschema is not installed")
class Schema(Files):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(run("check-config", "--schema")[1])
        cls.validator = jsonschema.Draft202012Validator(cls.schema)

    def complains(self, text):
        return bool(list(self.validator.iter_errors(tomllib.loads(text))))

    def test_is_one(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_accepts_examples(self):
        example = (SOURCE / "packaging" / "weir.toml").read_text("utf-8")
        everything = run("serve", "--print-config=all")[1]
        page = (SOURCE / "docs" / "configuration.md").read_text("utf-8")
        shown = [block.partition("```")[0] for block in page.split("```toml\n")[1:]]
        self.assertGreater(len(shown), 2)
        for text in (example, everything, SITES, *shown):
            self.assertFalse(self.complains(text), text)

    def test_knows_every_option(self):
        given = run("serve", "--print-config=all")[1]
        named = {line[1:].partition(" = ")[0] for line in given.splitlines() if line.startswith("#") and " = " in line and line[1] != " "}
        self.assertEqual(named | {"site"}, set(self.schema["properties"]))
        site = set(self.schema["properties"]["site"]["items"]["properties"])
        self.assertLess(site - {"host", "default"}, named)

    def test_refuses_nothing_that_the_reader_takes(self):
        for text in ("prt = 1", "port = '1'", "port = 1.5", "port = -1", "port = [1]", "port = true", "root = 1", "root = ''", "root = ['a']",
                     "spa = 1", "spa = 'true'", "spa = [true]", "symlinks = 'some'", "engine = 'x'", "bind = 1", "bind = [1]", "bind = ''",
                     "cors = 1", "cors = ''", "head-timeout = true", "head-timeout = -1", "cache-size = 1.5", "tls-client-auth = 'x'",
                     "config = 'x'", "help = true", "print-config = true", "site = 1", "[site]", "site = [1]", "[[site]]\nport = 1",
                     "[[site]]\nhost = 1", "[[site]]\nhost = []", "[[site]]\nhost = ''", "[[site]]\nhost = [1]", "[[site]]\ndefault = 1",
                     "[[site]]\nx = 1", "[[site]]\nroot = 1", "port = 2026-01-01", "[tls]\ncert = 'x'", "[[site]]\n" * 65):
            with self.subTest(text=text):
                with contextlib.suppress(TypeError):  # a date is nothing that a schema knows
                    self.assertTrue(self.complains(text))
                self.assertEqual(self.check(text)[0], 2)


class Example(Files):
    def test_of_the_package_is_good(self):
        text = (SOURCE / "packaging" / "weir.toml").read_text("utf-8")
        self.assertIn('"/srv/', text)
        self.assertEqual(self.check(text.replace('"/srv/', f'"{self.folder}/')), (0, []))


if __name__ == "__main__":
    unittest.main()
