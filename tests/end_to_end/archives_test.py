"""Archives of folders, as tar(1), Python's tarfile and zipfile read them."""

import io
import os
import socket
import subprocess
import tarfile
import unittest
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from served import PATIENCE_SECONDS, EndToEnd, for_each_engine, run

MODIFIED = 1_700_000_000
LONG = "long-" + "n" * 200
FILES = {"small.txt": b"hello", "empty": b"", "sub/deep/page.html": b"<p>", f"{LONG}/{LONG}": b"a long name", "ä ö/ü.txt": "ä".encode(),
         "large.bin": bytes(range(256)) * 8_000, "block": b"x" * 512}


def setUpModule():
    global site
    folder = TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    site = Path(folder.name)
    for name, content in FILES.items():
        path = site / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (MODIFIED, MODIFIED))
    (site / "folder/nothing").mkdir()
    (site / "folder/.hidden").write_text("x", encoding="ascii")
    (site / "folder/up").symlink_to("..")


@for_each_engine
class UnderEachEngine(EndToEnd):
    def archive(self, server, kind):
        response, body = self.fetch(server, f"/folder/?archive={kind}")
        self.assertEqual((response.status, response.headers["Transfer-Encoding"]), (200, "chunked"))
        return io.BytesIO(body)

    def test_an_archive_has_every_file(self):
        server = self.serve(site, "--archives")
        with tarfile.open(fileobj=self.archive(server, "tar")) as tar:
            self.assertEqual({one.name: tar.extractfile(one).read() for one in tar if one.isfile()},
                             {f"folder/{name}": content for name, content in FILES.items()})
        with zipfile.ZipFile(self.archive(server, "zip")) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual({name: archive.read(name) for name in archive.namelist() if not name.endswith("/")},
                             {f"folder/{name}": content for name, content in FILES.items()})


class Archives(EndToEnd):
    def test_tar_lists_what_is_there(self):
        server = self.serve(site, "--archives")
        _, body = self.fetch(server, "/folder/?archive=tar")
        with TemporaryDirectory() as place:
            subprocess.run(["tar", "-x", "-C", place], input=body, check=True, timeout=PATIENCE_SECONDS)
            copy = Path(place, "folder")
            for name, content in FILES.items():
                self.assertEqual((copy / name).read_bytes(), content)
                self.assertEqual((copy / name).stat().st_mtime, MODIFIED)
            self.assertTrue((copy / "nothing").is_dir())
            self.assertEqual(sorted(path.name for path in copy.iterdir()),
                             sorted({name.split("/")[0] for name in FILES} | {"nothing"}))

    def test_zip_has_times_and_folders(self):
        server = self.serve(site, "--archives")
        with zipfile.ZipFile(io.BytesIO(self.fetch(server, "/folder/?archive=zip")[1])) as archive:
            self.assertEqual(archive.getinfo("folder/small.txt").date_time, (2023, 11, 14, 22, 13, 20))
            self.assertTrue(archive.getinfo("folder/nothing/").is_dir())

    def test_a_listing_links_to_them(self):
        server = self.serve(site, "--archives", "--listing")
        _, body = self.fetch(server, "/folder/")
        for kind in ("tar", "zip"):
            self.assertIn(f'<a href="?archive={kind}" download>'.encode(), body)

    def test_without_the_option_there_are_none(self):
        server = self.serve(site, "--listing")
        _, body = self.fetch(server, "/folder/?archive=tar")
        self.assertTrue(body.startswith(b"<!doctype html>"))
        self.assertNotIn(b"archive=", body)

    def test_a_slow_client_costs_no_memory(self):
        with TemporaryDirectory() as place:
            big = Path(place, "big.bin")
            with open(big, "wb") as file:
                file.truncate(200_000_000)
            server = self.serve(place, "--archives")
            self.fetch(server, "/missing")
            before = server.memory_kib("VmRSS")
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as peer:
                peer.sendall(b"GET /?archive=tar HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                received = len(peer.recv(65536))
                self.assertLess(server.memory_kib("VmRSS") - before, 4_000)
                while data := peer.recv(1 << 20):
                    received += len(data)
            self.assertGreater(received, 200_000_000)
            self.assertLess(server.memory_kib("VmHWM") - before, 8_000)

    def test_a_file_has_no_archive(self):
        status, _, told = run("serve", site / "folder/small.txt", "--archives")
        self.assertEqual(status, 2)
        self.assertIn("--archives is for folders", told)


if __name__ == "__main__":
    unittest.main()
