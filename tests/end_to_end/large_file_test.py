"""A file of 256 MB streams through every engine, and the server's memory does not grow with it."""

import tempfile
import unittest
from pathlib import Path

from served import EndToEnd, for_each_engine

SIZE = 1 << 28
GROWTH_KIB_MAX = 8 * 1024
MARKS = {0: b"first", SIZE // 2 + 3: b"middle", SIZE - 4: b"last"}


def sparse_file(path):
    """Occupies no disk to speak of: all but the marks is a hole."""
    with open(path, "wb") as file:
        file.truncate(SIZE)
        for offset, words in MARKS.items():
            file.seek(offset)
            file.write(words)


@for_each_engine
class LargeFile(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        sparse_file(Path(folder.name) / "large.bin")
        (Path(folder.name) / "small.txt").write_text("small", encoding="ascii")
        self.server = self.serve(folder.name)

    def receive(self, response):
        """The count of bytes, and those at the marks."""
        buffer, count, found = bytearray(1 << 20), 0, {offset: b"" for offset in MARKS}
        while got := response.readinto(buffer):
            for offset, words in MARKS.items():
                begin, end = max(offset, count), min(offset + len(words), count + got)
                found[offset] += bytes(buffer[begin - count:end - count]) if begin < end else b""
            count += got
        return count, found

    def test_streams_with_flat_memory(self):
        self.fetch(self.server, "/small.txt")
        before = self.server.memory_kib("VmHWM")
        connection = self.connect(self.server)
        connection.request("GET", "/large.bin")
        response = connection.getresponse()
        self.assertEqual((response.status, response.headers["Content-Length"]), (200, str(SIZE)))
        self.assertEqual(self.receive(response), (SIZE, MARKS))
        self.assertLess(self.server.memory_kib("VmHWM") - before, GROWTH_KIB_MAX)

        connection.request("GET", "/small.txt")  # the connection has lost no byte and gained none
        self.assertEqual(connection.getresponse().read(), b"small")

    def test_its_last_bytes_by_range(self):
        response, body = self.fetch(self.server, "/large.bin", Range="bytes=-4")
        self.assertEqual((response.status, body, response.headers["Content-Range"]), (206, b"last", f"bytes {SIZE - 4}-{SIZE - 1}/{SIZE}"))


if __name__ == "__main__":
    unittest.main()
