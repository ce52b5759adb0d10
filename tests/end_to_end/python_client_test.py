"""Python's http.client gets every page, image, range and 304 right, from every engine."""

import unittest
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from served import SITE, EndToEnd, exchange, for_each_engine
from site_files import media_type, site_files

FILE = "/images/water.bmp"
CONTENT = (SITE / FILE[1:]).read_bytes()


def plain(content_type):
    return content_type.lower().replace(" ", "")


@for_each_engine
class PythonClient(EndToEnd):
    def setUp(self):
        self.server = self.serve()

    def test_every_file_arrives_whole_with_its_type(self):
        for target, content in site_files().items():
            with self.subTest(target=target):
                response, body = self.fetch(self.server, target)
                self.assertEqual(response.status, 200)
                self.assertEqual(body, content)
                self.assertEqual(int(response.headers["Content-Length"]), len(content))
                self.assertIn(plain(response.headers["Content-Type"]), (plain(media_type(target)), media_type(target) + ";charset=utf-8"))
                for name in ("Date", "ETag", "Last-Modified"):
                    self.assertIn(name, response.headers)

    def test_the_root_is_the_index(self):
        response, body = self.fetch(self.server, "/")
        self.assertEqual((response.status, body), (200, (SITE / "index.html").read_bytes()))

    def test_a_missing_file_gets_the_sites_own_page(self):
        response, body = self.fetch(self.server, "/no/such/page")
        self.assertEqual((response.status, body), (404, (SITE / "404.html").read_bytes()))

    def test_nothing_above_the_root_is_served(self):
        for target in ("/../README.md", "/%2e%2e/README.md", "/images/..%2f..%2fREADME.md"):
            with self.subTest(target=target):
                response, _ = self.fetch(self.server, target)
                self.assertIn(response.status, (400, 404))

    def test_head_answers_as_get_without_the_body(self):
        got, _ = self.fetch(self.server, FILE)
        head, body = self.fetch(self.server, FILE, "HEAD")
        self.assertEqual((head.status, body), (200, b""))
        for name in ("Content-Length", "Content-Type", "ETag", "Last-Modified"):
            self.assertEqual(head.headers[name], got.headers[name])

    def test_ten_requests_travel_on_one_connection(self):
        connection = self.connect(self.server)
        connection.connect()
        connection.auto_open = False  # a second connection would be an exception
        ours = connection.sock.getsockname()
        for target, content in list(site_files().items())[:10]:
            response, body = exchange(connection, target)
            self.assertEqual((response.status, body), (200, content))
            self.assertEqual(connection.sock.getsockname(), ours)

    def test_a_validator_that_holds_gets_304_and_no_body(self):
        got, _ = self.fetch(self.server, FILE)
        for headers in ({"If_None_Match": got.headers["ETag"]}, {"If_None_Match": f'"another", {got.headers["ETag"]}'},
                        {"If_None_Match": "*"}, {"If_Modified_Since": got.headers["Last-Modified"]}):
            with self.subTest(headers=headers):
                response, body = self.fetch(self.server, FILE, **headers)
                self.assertEqual((response.status, body), (304, b""))
                self.assertEqual(response.headers["ETag"], got.headers["ETag"])

    def test_a_validator_that_differs_gets_the_file(self):
        for headers in ({"If_None_Match": '"another"'}, {"If_Modified_Since": "Thu, 01 Jan 1970 00:00:00 GMT"}):
            with self.subTest(headers=headers):
                response, body = self.fetch(self.server, FILE, **headers)
                self.assertEqual((response.status, body), (200, CONTENT))

    def test_dates_are_those_of_the_file_and_of_now(self):
        response, _ = self.fetch(self.server, FILE)
        modified = parsedate_to_datetime(response.headers["Last-Modified"])
        self.assertEqual(int(modified.timestamp()), int((SITE / FILE[1:]).stat().st_mtime))
        self.assertGreaterEqual(parsedate_to_datetime(response.headers["Date"]), modified)

    def test_single_ranges(self):
        size = len(CONTENT)
        for asked, first, last in (("0-0", 0, 0), ("0-1077", 0, 1077), ("1078-", 1078, size - 1), ("-100", size - 100, size - 1),
                                   (f"{size - 1}-{size + 99}", size - 1, size - 1)):
            with self.subTest(range=asked):
                response, body = self.fetch(self.server, FILE, Range=f"bytes={asked}")
                self.assertEqual(response.status, 206)
                self.assertEqual(response.headers["Content-Range"], f"bytes {first}-{last}/{size}")
                self.assertEqual(body, CONTENT[first:last + 1])

    def check_parts(self, asked, ranges):
        response, body = self.fetch(self.server, FILE, Range=asked)
        self.assertEqual(response.status, 206)
        self.assertEqual(int(response.headers["Content-Length"]), len(body))
        head = f"Content-Type: {response.headers['Content-Type']}\r\n\r\n".encode()
        message = BytesParser().parsebytes(head + body)
        parts = [(part["Content-Range"], part.get_payload(decode=True)) for part in message.get_payload()]
        self.assertEqual(parts, [(f"bytes {first}-{last - 1}/{len(CONTENT)}", CONTENT[first:last]) for first, last in ranges])

    def test_several_ranges_come_as_parts(self):
        size = len(CONTENT)
        self.check_parts("bytes=0-9,2000-2009,-5", ((0, 10), (2000, 2010), (size - 5, size)))

    def test_many_ranges_may_ascend(self):
        def asked(ranges):
            return "bytes=" + ",".join(f"{first}-{last - 1}" for first, last in ranges)

        def ranges(count):
            return [(4 * number, 4 * number + 3) for number in range(count)]

        for count in (17, 255, 256):  # zchunk asks for 255
            self.check_parts(asked(ranges(count)), ranges(count))
        self.check_parts(asked(reversed(ranges(16))), tuple(reversed(ranges(16))))
        for field in (asked(ranges(257)), asked(reversed(ranges(17))), asked([*ranges(17), (60, 90)])):
            response, body = self.fetch(self.server, FILE, Range=field)
            self.assertEqual((response.status, body), (200, CONTENT), field)
        response, _ = self.fetch(self.server, FILE, "HEAD", Range=asked(ranges(255)))
        self.assertEqual((response.status, response.headers["Content-Length"]), (200, str(len(CONTENT))))

    def test_a_range_past_the_end_is_416(self):
        response, _ = self.fetch(self.server, FILE, Range=f"bytes={len(CONTENT)}-")
        self.assertEqual((response.status, response.headers["Content-Range"]), (416, f"bytes */{len(CONTENT)}"))

    def test_a_range_of_another_version_gets_the_whole(self):
        response, body = self.fetch(self.server, FILE, Range="bytes=0-9", If_Range='"another"')
        self.assertEqual((response.status, body), (200, CONTENT))
        response, body = self.fetch(self.server, FILE, Range="bytes=0-9", If_Range=response.headers["ETag"])
        self.assertEqual((response.status, body), (206, CONTENT[:10]))


if __name__ == "__main__":
    unittest.main()
