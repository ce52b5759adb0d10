"""Listings, and one file served alone, by the command: where there is one, what it may run, how to get one."""

import base64
import hashlib
import json
import os
import re
import tempfile
import threading
import unittest
from html import unescape
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from served import PATIENCE_SECONDS, EndToEnd, fetch, for_each_engine, run

HINT = b"if it is started with --listing"


class Folder(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "served"
        self.root.mkdir()
        for name in ("file10.txt", "file2.txt", "report.html"):
            (self.root / name).write_text(name, encoding="utf-8")
        (self.root / "deeper").mkdir()

    def ask(self, target, *options, method="GET", **headers):
        response, body = self.fetch(self.serve(self.root, *options), target, method, **headers)
        return response.status, body


class WhereThereIsOne(Folder):
    def test_on_loopback(self):
        for options in ((), ("--bind", "127.0.0.1"), ("--bind", "127.0.0.1", "--bind", "127.0.0.2")):
            with self.subTest(options=options):
                status, body = self.ask("/", *options)
                self.assertEqual(status, 200)
                self.assertLess(body.index(b"file2.txt"), body.index(b"file10.txt"))

    def test_for_others_only_if_asked_for(self):
        for target in ("/", "/deeper/"):
            status, body = self.ask(target, "--bind", "0.0.0.0")
            self.assertEqual(status, 404)
            self.assertIn(HINT, body)
        self.assertEqual(self.ask("/", "--bind", "0.0.0.0", "--listing")[0], 200)

    def test_a_missing_page_says_nothing_of_listings(self):
        status, body = self.ask("/nothing", "--bind", "0.0.0.0")
        self.assertEqual(status, 404)
        self.assertNotIn(HINT, body)

    def test_nowhere_where_that_is_said(self):
        status, body = self.ask("/", "--no-listing")
        self.assertEqual(status, 404)
        self.assertNotIn(HINT, body)
        status, _, error = run("serve", self.root, "--listing", "--no-listing")
        self.assertEqual((status, error.count("\n")), (2, 1))


class Page(Folder):
    def test_its_policy_allows_its_own_styles_and_scripts_alone(self):
        for options, count in ((), 1), (("--upload",), 2):
            response, body = self.fetch(self.serve(self.root, *options), "/")
            policy = response.headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            for element in ("style", "script"):
                inline = re.findall(rf"<{element}>(.*?)</{element}>".encode(), body, re.DOTALL)
                self.assertEqual(len(inline), count)
                hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(each).digest()).decode()}'" for each in inline)
                self.assertIn(f"{element}-src {hashes}", policy, "src/site/page/listing_assets.h needs the hashes of what is there")

    def test_pictures_stand_in_a_grid_if_asked_to(self):
        (self.root / "a b.png").write_bytes(b"x")
        server = self.serve(self.root)
        response, body = self.fetch(server, "/?view=grid&sort=size")
        self.assertIn("img-src 'self'", response.headers["Content-Security-Policy"])
        self.assertEqual(re.findall(rb'<img [^>]*>', body), [b'<img src="./a%20b.png" alt="" loading="lazy" decoding="async">'])
        self.assertIn(b'href="?sort=size&amp;order=desc&amp;view=grid"', body)
        self.assertNotIn(b"<img", self.fetch(server, "/")[1])

    def test_says_how_much_there_is(self):
        self.assertIn(b">1 folder, 3 files, 30 B<", self.ask("/")[1])

    def test_json_is_sorted_too(self):
        server = self.serve(self.root)

        def names(query):
            return [entry["name"] for entry in json.loads(self.fetch(server, f"/{query}", Accept="application/json")[1])["entries"]]

        self.assertEqual(names(""), ["deeper", "file2.txt", "file10.txt", "report.html"])
        self.assertEqual(names("?sort=name&order=desc"), ["deeper", "report.html", "file10.txt", "file2.txt"])
        self.assertEqual(names("?sort=size"), ["deeper", "file2.txt", "file10.txt", "report.html"])


class TitleAndTheme(Folder):
    TITLE = "Ada's <b>\"files\"</b> & \u00e4\u202e more"

    def page(self, target, *options):
        response, body = self.fetch(self.serve(self.root, "--listing", *options), target)
        self.assertEqual(response.status, 200)
        return body.decode("utf-8")

    def test_the_title_stands_in_the_page_as_text(self):
        page = self.page("/deeper/", "--listing-title", self.TITLE)
        self.assertNotIn("<b>", page)
        self.assertNotIn("\u202e", page)
        shown = self.TITLE.replace("\u202e", r"\u{202E}")
        self.assertEqual(unescape(re.search(r"<title>(.*?)</title>", page)[1]), f"{shown}: /deeper/")
        self.assertEqual(unescape(re.search(r'<a href="\.\./">(?:<bdi>)?(.*?)(?:</bdi>)?</a>', page)[1]), shown)
        self.assertNotIn("Index of", page)
        self.assertNotIn(">Home<", page)

    def test_without_one_the_page_says_where_it_is(self):
        self.assertIn("<title>Index of /deeper/</title>", self.page("/deeper/"))

    def test_the_theme_is_that_of_the_option(self):
        for options, scheme, attribute in (((), "light dark", ""), (("--listing-theme", "system"), "light dark", ""),
                                           (("--listing-theme", "light"), "light", ' data-theme="light"'),
                                           (("--listing-theme", "dark"), "dark", ' data-theme="dark"')):
            with self.subTest(options=options):
                page = self.page("/", *options)
                self.assertIn(f'<html lang="en"{attribute}>', page)
                self.assertIn(f'<meta name="color-scheme" content="{scheme}">', page)

    def test_others_are_refused(self):
        for option, value, why in (("--listing-theme", "blue", "none of system, light and dark"), ("--listing-theme", "", "needs a value"),
                                   ("--listing-title", "a\nb", "no control characters"), ("--listing-title", "x" * 201, "1 to 200 bytes")):
            with self.subTest(option=option, value=value):
                status, _, error = run("serve", self.root, f"{option}={value}")
                self.assertEqual((status, error.count("\n")), (2, 1), error)
                self.assertIn(option, error)
                self.assertIn(why, error)


class Names(Folder):
    """Whatever bytes a name has: it is shown as it is, moves nothing else, and its link leads to the file."""

    SHOWN = {"cod\u202egnp.exe": r"cod\u{202E}gnp.exe", "a\u2066b\u200f": r"a\u{2066}b\u{200F}", "in\u200bvoice\ufeff": r"in\u{200B}voice\u{FEFF}",
             "a\nb": r"a\x0Ab", "  two  spaces ": "  two  spaces ", "\u05d0\u05d1 1.txt": "\u05d0\u05d1 1.txt", "Gr\udcfc\udcdf": r"Gr\xFC\xDF", "\u2764\ufe0f": "\u2764\ufe0f"}

    def setUp(self):
        super().setUp()
        self.below = self.root / "deeper" / "Gr\udcfc\u202e"
        self.below.mkdir()
        for name in self.SHOWN:
            (self.below / name).write_text(ascii(name), encoding="utf-8")
        self.server = self.serve(self.root)
        self.folder = "/deeper/Gr%FC%E2%80%AE/"

    def test_on_the_page(self):
        page = self.fetch(self.server, self.folder)[1].decode("utf-8")
        self.assertNotRegex(page, "[\u202a-\u202e\u2066-\u2069\u200b\u200f\ufeff]")
        self.assertIn(r"<title>Index of /deeper/Gr\xFC\u{202E}/</title>", page)
        self.assertIn("bdi { white-space: break-spaces; }", page)
        links = {unescape(shown): href for href, shown in re.findall(r'<a href="(\./[^"]+)"><svg[^>]*><use[^>]*></svg><bdi>(.*?)</bdi>', page)}
        self.assertEqual(set(links), set(self.SHOWN.values()))
        for name, shown in self.SHOWN.items():
            self.assertEqual(self.fetch(self.server, urljoin(self.folder, links[shown]))[1].decode(), ascii(name))

    def test_in_json(self):
        body = self.fetch(self.server, self.folder, Accept="application/json")[1].decode("utf-8")
        self.assertNotRegex(body, "[\u202a-\u202e\u2066-\u2069\u200b\u200f\ufeff]")
        entries = {entry["name"]: entry["href"] for entry in json.loads(body)["entries"]}
        self.assertEqual(set(entries), {re.sub("[\udc80-\udcff]", "\ufffd", name) for name in self.SHOWN})
        for name, href in entries.items():
            found = self.fetch(self.server, urljoin(self.folder, href))[1].decode()
            self.assertIn(found, {ascii(one) for one in self.SHOWN if re.sub("[\udc80-\udcff]", "\ufffd", one) == name})


FILES = 4_100  # more than is read at once


def setUpModule():
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    Large.root = Path(folder.name)
    (Large.root / "file0").touch()
    for number in range(1, FILES):
        os.link(Large.root / "file0", Large.root / f"file{number}")


class Large(EndToEnd):
    """A folder of many files, which are one file: that takes less time."""

    def walk(self, server, accept):
        """Follows rel=next; what each page is, and the last one's address."""
        address = "/"
        while address:
            response, body = self.fetch(server, address, Accept=accept)
            self.assertEqual(response.status, 200)
            yield body.decode(), address
            link = re.search(r'<([^>]*)>; rel="next"', response.getheader("Link", ""))
            address = link and urljoin(address, link[1])


@for_each_engine
class ByJson(Large):
    def test_all_names_are_there_in_order(self):
        server = self.serve(self.root)
        pages = list(self.walk(server, "application/json"))
        names = [entry["name"] for body, _ in pages for entry in json.loads(body)["entries"]]
        self.assertEqual(names, [f"file{number}" for number in range(FILES)])
        self.assertEqual({(json.loads(body)["total"], json.loads(body)["pages"]) for body, _ in pages}, {(FILES, len(pages))})
        last = pages[-1][1]
        self.assertIsNone(json.loads(pages[-1][0]).get("next"))
        self.assertEqual(self.fetch(server, last.replace(str(len(pages)), str(len(pages) + 1)))[0].status, 404)


class ByLinks(Large):
    def test_all_names_are_there_in_order(self):
        server = self.serve(self.root)
        names, address = [], "/?sort=name&order=desc"
        while address:
            page = self.fetch(server, address)[1].decode()
            names += re.findall(r'<a href="\./(file\d+)"', page)
            link = re.search(r'<a rel="next" href="([^"]*)"', page)
            address = link and urljoin(address, unescape(link[1]))
        self.assertEqual(names, [f"file{number}" for number in reversed(range(FILES))])


class BelowAPrefixOfAProxy(Folder):
    """`location /files/ { proxy_pass http://weir/; }`: weir sees neither the prefix nor a field that names it."""

    def setUp(self):
        super().setUp()
        (self.root / "a:b").mkdir()
        (self.root / "a:b" / "c d.txt").write_text("content", encoding="utf-8")
        (self.root / "pages").mkdir()
        (self.root / "pages" / "index.html").write_text("pages", encoding="utf-8")
        (self.root / "about.html").write_text("about", encoding="utf-8")

    def behind_a_proxy(self, server):
        class Proxy(BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.removeprefix("/files")
                if path == self.path:
                    return self.send_error(404, "outside of the prefix")
                connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
                connection.request("GET", path, headers={"Accept": self.headers.get("Accept", "*/*")})
                response = connection.getresponse()
                body = response.read()
                self.send_response(response.status)
                for name in ("Location", "Content-Type"):
                    if value := response.getheader(name):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                connection.close()

            def log_message(self, *_):
                pass

        proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        return proxy.server_port

    def follow(self, port, path):
        """Where redirects lead, and the status and content there."""
        for _ in range(5):
            response, body = fetch(port, path)
            if response.status != 301:
                return path, response.status, body
            path = urlsplit(urljoin(f"http://a{path}", response.getheader("Location"))).path
        self.fail(f"{path} redirects in a circle")

    def test_links_lead_to_what_they_name(self):
        port = self.behind_a_proxy(self.serve(self.root))
        for folder in ("/files/", "/files/a:b/"):
            page = fetch(port, folder)[1].decode()
            links = [urljoin(folder, link) for link in re.findall(r'<a href="([^"?]*)"', page)]
            self.assertIn("/files/", links)
            for link in links:
                self.assertEqual(fetch(port, link)[0].status, 200, link)
            for entry in json.loads(fetch(port, folder, Accept="application/json")[1])["entries"]:
                self.assertEqual(fetch(port, urljoin(folder, entry["href"]))[0].status, 200, entry)
        self.assertIn("/files/a:b/c%20d.txt", links)

    def test_error_pages_have_a_way_out(self):
        port = self.behind_a_proxy(self.serve(self.root, "--no-listing"))
        for asked, ways in (("/files/", []), ("/files/missing", ["/files/"]), ("/files/deeper/", ["/files/"]),
                            ("/files/a:b/missing.txt", ["/files/a:b/", "/files/"]), ("/files/a:b/c/", ["/files/a:b/", "/files/"]),
                            ("/files/no/such/folder/x", ["/files/no/such/folder/", "/files/"]), ("/files/a:b/%zz", ["/files/a:b/", "/files/"]),
                            ("/files/%3Cb%3E/%22x", ["/files/%3Cb%3E/", "/files/"])):
            with self.subTest(asked=asked):
                response, body = fetch(port, asked)
                self.assertIn(response.status, (400, 404))
                links = [urljoin(asked, unescape(link)) for link in re.findall(r'<a href="([^"]*)"', body.decode())]
                self.assertEqual(links, ways)

    def test_a_redirect_has_its_link(self):
        self.assertIn(b'<a href="./pages/?a=1&amp;b=2">Go there</a>', fetch(self.serve(self.root).port, "/pages?a=1&b=2")[1])

    def test_redirects_stay_below_it(self):
        port = self.behind_a_proxy(self.serve(self.root, "--clean-urls"))
        for asked, led in (("/files/pages", "/files/pages/"), ("/files/a:b", "/files/a:b/"), ("/files/about.html", "/files/about"),
                           ("/files/about/", "/files/about"), ("/files/pages/index.html", "/files/pages/"), ("/files/pages/index", "/files/pages/")):
            with self.subTest(asked=asked):
                self.assertEqual(self.follow(port, asked)[:2], (led, 200))


class OneFile(Folder):
    def test_is_served_at_the_root_and_by_its_name(self):
        file = self.root / "report.html"
        server = self.serve(file)
        self.assertIn(f"serves {file.resolve()}", server.lines[0])
        for target, status in (("/", 200), ("/report.html", 200), ("/file2.txt", 404), ("/deeper/", 404), ("/served/report.html", 404)):
            with self.subTest(target=target):
                response, body = self.fetch(server, target)
                self.assertEqual(response.status, status)
                self.assertEqual(body == b"report.html", status == 200)
        self.assertEqual(self.fetch(server, "/", Range="bytes=0-1")[1], b"re")

    def test_another_that_takes_its_place_is_picked_up(self):
        file = self.root / "report.html"
        server = self.serve(file)
        for text in (b"second", b"third"):
            beside = self.root / "beside"
            beside.write_bytes(text)
            beside.rename(file)
            while self.fetch(server, "/")[1] != text:  # the suite's time limit ends it
                pass

    def test_a_link_to_it_is_followed_wherever_it_leads(self):
        link = self.root / "deeper" / "latest"
        link.symlink_to(os.path.join(self.root, "report.html"))
        server = self.serve(link)
        for target, status in (("/", 200), ("/latest", 200), ("/report.html", 404)):
            self.assertEqual(self.fetch(server, target)[0].status, status, target)

    def test_options_of_folders_are_refused(self):
        for option in (("--spa",), ("--listing",), ("--clean-urls",), ("--index", "a.html")):
            status, _, error = run("serve", self.root / "report.html", *option)
            self.assertEqual((status, error.count("\n")), (2, 1))
            self.assertIn(f"{option[0]} is for folders", error)

    def test_a_file_that_cannot_be_served_is_an_error(self):
        fifo = self.root / "fifo"
        os.mkfifo(fifo)
        for path in (fifo, self.root / "nothing"):
            status, _, error = run("serve", path, "--port", "0")
            self.assertEqual(status, 1)
            self.assertIn(str(path), error)


if __name__ == "__main__":
    unittest.main()
