"""Pages that are loaded again when a file has changed: the script in them, and the events that it hears."""

import gzip
import os
import re
import shutil
import signal
import subprocess
import unittest
from http.client import HTTPConnection

from http2_test import CURL, has_http2
from passwords_test import HAS_CRYPT, basic, password_line
from served import PATIENCE_SECONDS, InAFolder, die_with_parent, for_each_engine, run, wait_until

SCRIPT = re.compile(rb'<script src="([^"]*)" nonce="[0-9a-f]{32}" data-version="([0-9a-f]{8}-[0-9a-f]{8})"></script>')


def next_event(lines):
    """The fields of the next event; none at the end. Heartbeats are passed over."""
    event = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if value:
            event[name] = value
        elif "data" in event:
            return event
    return event


class Events:
    """What a page hears."""

    def __init__(self, server, target="/.weir/live"):
        self.connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
        self.connection.request("GET", target)
        self.response = self.connection.getresponse()

    def close(self):
        self.response.close()
        self.connection.close()

    def next(self):
        return next_event(self.response)

    def wait_for(self, version):
        """Each change of several may be told, or the last one alone."""
        while (event := self.next())["data"] != version:
            pass
        return event


class Reloading(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        self.site.mkdir()
        self.write("index.html", "<h1>Home</h1>")
        self.write("style.css", "h1 { color: red }")
        self.write("data.json", "{}")

    def write(self, name, text):
        """As an editor does: the file is whole under its name."""
        path = self.site / name
        path.parent.mkdir(exist_ok=True)
        beside = self.top / "beside"
        beside.write_text(text, encoding="ascii")
        beside.rename(path)

    def live(self, *options, **added):
        return self.serve(self.site, "--live-reload", *options, **added)

    def events(self, server, target="/.weir/live"):
        events = Events(server, target)
        self.addCleanup(events.close)
        return events

    def version(self, server, target="/"):
        return SCRIPT.search(self.fetch(server, target)[1])[2].decode()

    def newest_version(self, root):
        """The files have the same one in each server. One that runs may have yet to look at them."""
        server = self.serve(root, "--live-reload")
        version = self.version(server)
        server.stop()
        return version


@for_each_engine
class Changes(Reloading):
    def setUp(self):
        if self.engine in ("blocking", "fork-per-connection"):
            self.skipTest("refused")
        super().setUp()

    def test_are_told_and_the_stop_does_not_wait(self):
        server = self.live("--stop-timeout", "1h")
        events = self.events(server)
        self.assertEqual(events.response.getheader("Content-Type"), "text/event-stream")
        hello = events.next()
        self.assertEqual((hello["event"], hello["data"]), ("hello", self.version(server)))
        self.write("style.css", "h1 { color: blue }")
        css = events.next()
        self.assertEqual((css["event"], css["data"]), ("css", self.version(server)))
        self.write("index.html", "<h1>New</h1>")
        page = events.next()
        self.assertEqual((page["event"], page["id"]), ("reload", self.version(server)))
        server.signal(signal.SIGTERM)
        self.assertEqual(events.next(), {})
        self.assertEqual(server.wait(), 0)

    def test_pages_alone_have_the_script(self):
        server = self.live()
        (self.site / "large.html").write_bytes(b"x" * 100_000)
        os.utime(self.site / "data.json", (1_700_000_000, 1_700_000_000))  # or its tag might be for one answer alone
        for target, status in (("/", 200), ("/large.html", 200), ("/none", 404)):
            response, body = self.fetch(server, target)
            self.assertEqual((response.status, int(response.getheader("Content-Length"))), (status, len(body)))
            self.assertEqual([source for source, _ in SCRIPT.findall(body)], [b"/.weir/live.js"])
            self.assertIsNone(response.getheader("ETag"))
            self.assertEqual(self.fetch(server, target, "HEAD")[0].getheader("Content-Length"), str(len(body)))
        response, body = self.fetch(server, "/data.json")
        self.assertEqual((body, response.getheader("Cache-Control")), (b"{}", "no-cache"))
        self.assertEqual(self.fetch(server, "/data.json", If_None_Match=response.getheader("ETag"))[0].status, 304)
        self.assertIn(b"EventSource", self.fetch(server, "/.weir/live.js")[1])

    def test_a_page_is_whole_whatever_a_client_has_of_it(self):
        (self.site / "index.html.gz").write_bytes(gzip.compress(b"<h1>Home</h1>"))
        server = self.live()
        for asked in ({"If_None_Match": "*"}, {"If_Modified_Since": "Fri, 01 Jan 2100 00:00:00 GMT"}, {"Range": "bytes=0-3"},
                      {"Accept_Encoding": "gzip"}):
            response, body = self.fetch(server, "/", **asked)
            self.assertEqual((response.status, len(SCRIPT.findall(body))), (200, 1), asked)
            self.assertTrue(body.startswith(b"<h1>Home</h1>"))
            self.assertIsNone(response.getheader("Content-Encoding"))
        part, body = self.fetch(server, "/style.css", Range="bytes=0-1")
        self.assertEqual((part.status, body), (206, b"h1"))

    def test_many_pages_do_not_hold_up_the_stop(self):
        server = self.live("--stop-timeout", "1h", *(("-w", "80") if self.engine == "thread-pool" else ()))
        pages = [self.events(server) for _ in range(40)]
        for page in pages:
            self.assertEqual(page.next()["event"], "hello")
        server.signal(signal.SIGTERM)
        for page in pages:
            self.assertEqual(page.next(), {})
        self.assertEqual(server.wait(), 0)

    @unittest.skipUnless(has_http2("curl"), "this curl has no HTTP/2")
    def test_http2_has_them(self):
        server = self.live("--h2c")
        page = subprocess.run([*CURL, server.url], capture_output=True, timeout=PATIENCE_SECONDS, check=True).stdout
        with subprocess.Popen([*CURL, "--no-buffer", f"{server.url}.weir/live"], stdout=subprocess.PIPE, preexec_fn=die_with_parent) as curl:
            self.addCleanup(curl.kill)
            self.assertEqual(next_event(curl.stdout)["data"], SCRIPT.search(page)[2].decode())
            self.write("style.css", "h1 { color: blue }")
            self.assertEqual(next_event(curl.stdout)["event"], "css")
            server.signal(signal.SIGTERM)
            self.assertEqual(next_event(curl.stdout), {})
            self.assertEqual(curl.wait(PATIENCE_SECONDS), 0)


class Files(Reloading):
    def test_of_new_folders_and_of_a_new_root_are_told(self):
        release = self.top / "release"
        os.symlink("site", release)
        server = self.serve(release, "--live-reload")
        events = self.events(server)
        events.next()
        for name in ("a/one.html", "a/two.html"):
            self.write(name, "x")
            self.assertEqual(events.wait_for(self.newest_version(release))["event"], "reload")
        other = self.top / "other"
        other.mkdir()
        (other / "index.html").write_text("other", encoding="ascii")
        os.symlink("other", self.top / "new")
        os.rename(self.top / "new", release)
        newest = self.newest_version(release)
        events.wait_for(newest)
        self.assertTrue(self.fetch(server, "/")[1].startswith(b"other"))
        self.assertEqual(self.version(server), newest)

    def test_of_a_root_that_goes_and_comes_are_told(self):
        server = self.live()
        events = self.events(server)
        events.next()
        shutil.rmtree(self.site)
        events.wait_for("-".join(("0" * 8,) * 2))
        self.assertEqual(self.fetch(server, "/")[0].status, 503)
        self.site.mkdir()
        self.write("index.html", "<h1>Back</h1>")
        events.wait_for(self.newest_version(self.site))
        self.assertTrue(self.fetch(server, "/")[1].startswith(b"<h1>Back</h1>"))

    def test_behind_a_link_to_a_hidden_folder_are_told(self):
        self.write(".releases/index.html", "1")
        os.symlink(".releases", self.site / "current")
        server = self.live()
        events = self.events(server)
        events.next()
        self.write(".releases/index.html", "2")
        self.assertEqual(events.next()["data"], self.version(server))

    def test_are_told_where_no_folder_can_be_watched(self):
        """The kernel counts watches for each user namespace, too (namespaces(7))."""
        limited = ("unshare", "--user", "--map-current-user", "sh", "-c", 'echo 0 >/proc/sys/user/max_inotify_watches && exec "$0" "$@"')
        if subprocess.run([*limited, "true"], capture_output=True, timeout=PATIENCE_SECONDS, check=False).returncode != 0:
            self.skipTest("this system lets no user namespace have limits")
        server = self.serve(self.site, "--live-reload", prefix=limited)
        events = self.events(server)
        events.next()
        wait_until(lambda: any("a folder could not be watched for changes: raise fs.inotify.max_user_watches" in line for line in server.lines))
        self.write("index.html", "<h1>New</h1>")
        self.assertEqual(events.next()["data"], self.version(server))

    def test_that_nobody_can_fetch_are_not_told(self):
        """The change that follows is of a style sheet alone: the others would have made another event of it."""
        server = self.live("--hide", "*.bak")
        events = self.events(server)
        events.next()
        for name in (".hidden", "x.bak", "style.css~", "node_modules/a.js"):
            self.write(name, "x")
        self.write("style.css", "h1 {}")
        self.assertEqual(events.next()["event"], "css")

    def test_a_page_that_was_away_has_the_same_version_unless_a_file_changed(self):
        first = self.live()
        before = self.version(first)
        first.stop()
        self.assertEqual(self.events(second := self.live()).next()["data"], before)
        second.stop()
        self.write("index.html", "<h1>Later</h1>")
        self.assertNotEqual(self.events(self.live()).next()["data"], before)

    def test_one_file_is_followed(self):
        server = self.serve(self.site / "index.html", "--live-reload")
        events = self.events(server)
        events.next()
        self.write("other.html", "x")
        self.write("index.html", "<h1>New</h1>")
        self.assertEqual(events.next()["data"], self.version(server))


class Beside(Reloading):
    """Other options."""

    def test_compression_sees_the_script(self):
        self.write("index.html", "<p>" * 1000)
        (self.site / "index.html.gz").write_bytes(gzip.compress(b"<p>" * 1000))
        server = self.live("--compress")
        response, body = self.fetch(server, "/", Accept_Encoding="gzip")
        if response.getheader("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.assertEqual(len(SCRIPT.findall(body)), 1)
        self.assertIsNone(self.events(server).response.getheader("Content-Encoding"))

    def test_no_cache_has_what_was_before_the_news(self):
        """A page that is loaded at the news would stay old otherwise: no further news come."""
        (self.site / "folder").mkdir()
        server = self.live("--compress", "--listing")
        events = self.events(server)
        events.next()
        for i in range(5):
            for name, target in (("style.css", "/style.css"), ("a.html", "/a.html"), (f"folder/name{i}", "/folder/")):
                content = f"name{i}" + " of some length" * 200
                self.fetch(server, target, Accept_Encoding="gzip")
                self.write(name, content)
                events.next()
                response, body = self.fetch(server, target, Accept_Encoding="gzip")
                if response.getheader("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                self.assertIn(f"name{i}".encode(), body, target)

    def test_a_prefix_stands_before_the_script(self):
        server = self.live("--prefix", "/docs")
        source = SCRIPT.search(self.fetch(server, "/docs/")[1])[1].decode()
        self.assertEqual(source, "/docs/.weir/live.js")
        self.assertEqual(self.fetch(server, source)[0].status, 200)
        self.assertEqual(self.events(server, "/docs/.weir/live").next()["event"], "hello")
        self.assertEqual(self.fetch(server, "/.weir/live.js")[0].status, 404)

    def test_a_rewrite_of_everything_leaves_it(self):
        server = self.live("--rewrite", "/{page...}: /index.html")
        self.assertIn(b"EventSource", self.fetch(server, "/.weir/live.js")[1])
        self.assertEqual(self.events(server).next()["data"], self.version(server, "/any"))

    @unittest.skipUnless(HAS_CRYPT, "this build has no libcrypt")
    def test_a_password_holds_for_it(self):
        (self.top / "users").write_text(password_line("ada", "secret"), encoding="ascii")
        server = self.live("--auth", self.top / "users")
        for target in ("/.weir/live", "/.weir/live.js"):
            self.assertEqual(self.fetch(server, target)[0].status, 401)
        for _ in range(2):  # the first one is compared, the second one is known
            response, body = self.fetch(server, "/", Authorization=basic("ada", "secret"), If_None_Match="*")
            self.assertEqual((response.status, len(SCRIPT.findall(body))), (200, 1))

    def test_the_fields_of_the_folder_leave_it(self):
        self.write("_headers", "/*\n  Content-Security-Policy: default-src 'none'\n  Cache-Control: max-age=600\n")
        response = self.fetch(self.live("--folder-rules", "--security-headers"), "/")[0]
        self.assertEqual(response.getheader("Content-Security-Policy"), "default-src 'none'; script-src 'self'; connect-src 'self'")
        self.assertEqual(response.getheader("Cache-Control"), "no-cache")

    def test_one_site_of_several_has_it(self):
        (self.top / "weir.toml").write_text('[[site]]\nhost = ["a.localhost"]\nroot = "site"\nlive-reload = true\n'
                                            '[[site]]\nhost = ["b.localhost"]\nroot = "site"\n', encoding="ascii")
        server = self.start("serve", "--config", self.top / "weir.toml", "--port", "0").wait_for_banner()
        found = [len(SCRIPT.findall(self.fetch(server, "/", Host=f"{name}.localhost")[1])) for name in "ab"]
        self.assertEqual(found, [1, 0])

    def test_a_listing_may_run_it(self):
        (self.site / "index.html").unlink()
        response, body = self.fetch(self.live(), "/")
        self.assertEqual(len(SCRIPT.findall(body)), 1)
        self.assertRegex(response.getheader("Content-Security-Policy"), "script-src [^;]* 'self'; connect-src 'self'$")

    def test_without_it_nothing_is_there(self):
        server = self.serve(self.site)
        self.assertEqual(self.fetch(server, "/")[1], b"<h1>Home</h1>")
        self.assertEqual(self.fetch(server, "/.weir/live")[0].status, 404)

    def test_it_is_refused_where_it_can_not_be(self):
        for options, words in ((("-b", "0.0.0.0"), "others can reach this server"),
                               (("-b", f"unix:{self.top}/socket"), "others can reach this server"),
                               (("--trust", "127.0.0.1"), "leave out --trust"),
                               (("--proxy-protocol", "127.0.0.1"), "leave out --proxy-protocol"),
                               (("-e", "blocking"), "one connection at a time"),
                               (("-e", "fork-per-connection"), "a process for each connection"),
                               (("-e", "thread-pool", "-w", "1"), "--workers 2")):
            status, _, said = run("serve", self.site, "--live-reload", "-p", "0", *options)
            self.assertEqual(status, 2)
            self.assertIn(words, said)

    def test_a_thread_pool_keeps_threads_for_all_else(self):
        server = self.serve(self.site, "--live-reload", "-e", "thread-pool", "-w", "4")
        pages = [self.events(server) for _ in range(2)]
        self.assertEqual(self.fetch(server, "/.weir/live")[0].status, 503)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        self.assertEqual([page.next()["event"] for page in pages], ["hello"] * 2)


if __name__ == "__main__":
    unittest.main()
