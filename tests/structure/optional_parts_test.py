#!/usr/bin/env python3
"""WEIR_WITH_ARCHIVE, WEIR_WITH_ASIO, WEIR_WITH_CMARK, WEIR_WITH_CRYPT, WEIR_WITH_EXPAT, WEIR_WITH_JSON, WEIR_WITH_QRENCODE, WEIR_WITH_TLS and WEIR_WITH_TOML, and the command that is built without them.

usage: optional_parts_test.py <cmake> <weir that was linked with what stands in for the optional parts>"""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

MODULES = Path(os.environ["WEIR_SOURCE_DIR"]) / "cmake"
CMAKE, WEIR = sys.argv.pop(1), sys.argv.pop(1)


def configure(module: str, *settings: str) -> subprocess.CompletedProcess[str]:
    """Script mode, in which no directory is searched but those that it is told of."""
    return subprocess.run([CMAKE, *(f"-D{setting}" for setting in settings), "-P", MODULES / module],
                          capture_output=True, text=True, check=False)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([WEIR, *arguments], capture_output=True, text=True, check=False)


class AsioOption(unittest.TestCase):
    def test_on_without_the_headers_names_the_package(self):
        done = configure("WeirAsio.cmake", "WEIR_WITH_ASIO=ON", "WEIR_ASIO_INCLUDE_DIR=NOTFOUND")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libasio-dev", done.stderr)

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            done = configure("WeirAsio.cmake", f"WEIR_WITH_ASIO={wanted}", "WEIR_ASIO_INCLUDE_DIR=NOTFOUND")
            self.assertEqual(done.returncode, 0, wanted)


class QrencodeOption(unittest.TestCase):
    MISSING = ("WEIR_QRENCODE_INCLUDE_DIR=NOTFOUND", "WEIR_QRENCODE_LIBRARY=NOTFOUND")

    def test_on_without_the_library_names_the_package(self):
        done = configure("WeirQrencode.cmake", "WEIR_WITH_QRENCODE=ON", *self.MISSING)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libqrencode-dev", " ".join(done.stderr.split()))  # CMake breaks lines

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(configure("WeirQrencode.cmake", f"WEIR_WITH_QRENCODE={wanted}", *self.MISSING).returncode, 0, wanted)


class CryptOption(unittest.TestCase):
    MISSING = ("WEIR_CRYPT_INCLUDE_DIR=NOTFOUND", "WEIR_CRYPT_LIBRARY=NOTFOUND")

    def test_on_without_the_library_names_the_package(self):
        done = configure("WeirCrypt.cmake", "WEIR_WITH_CRYPT=ON", *self.MISSING)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libcrypt-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(configure("WeirCrypt.cmake", f"WEIR_WITH_CRYPT={wanted}", *self.MISSING).returncode, 0, wanted)


class TlsOption(unittest.TestCase):
    def test_on_without_the_library_names_the_package(self):
        done = configure("WeirTls.cmake", "WEIR_WITH_TLS=ON", "WEIR_OPENSSL_INCLUDE_DIR=NOTFOUND")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libssl-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            done = configure("WeirTls.cmake", f"WEIR_WITH_TLS={wanted}", "WEIR_OPENSSL_INCLUDE_DIR=NOTFOUND")
            self.assertEqual(done.returncode, 0, wanted)


class ArchiveOption(unittest.TestCase):
    MISSING = ("WEIR_ARCHIVE_INCLUDE_DIR=NOTFOUND",)

    def test_on_without_the_library_names_the_package(self):
        done = configure("WeirArchive.cmake", "WEIR_WITH_ARCHIVE=ON", *self.MISSING)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libarchive-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(configure("WeirArchive.cmake", f"WEIR_WITH_ARCHIVE={wanted}", *self.MISSING).returncode, 0, wanted)


class TomlOption(unittest.TestCase):
    def test_on_without_the_headers_names_the_package(self):
        done = configure("WeirToml.cmake", "WEIR_WITH_TOML=ON", "WEIR_TOML_INCLUDE_DIR=NOTFOUND")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libtomlplusplus-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(configure("WeirToml.cmake", f"WEIR_WITH_TOML={wanted}", "WEIR_TOML_INCLUDE_DIR=NOTFOUND").returncode, 0, wanted)


class MarkdownOption(unittest.TestCase):
    MISSING = tuple(f"WEIR_CMARK_{part}=NOTFOUND" for part in ("INCLUDE_DIR", "LIBRARY", "EXTENSIONS_LIBRARY"))

    def test_on_without_the_library_names_the_packages(self):
        done = configure("WeirMarkdown.cmake", "WEIR_WITH_CMARK=ON", *self.MISSING)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libcmark-gfm-dev and libcmark-gfm-extensions-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(configure("WeirMarkdown.cmake", f"WEIR_WITH_CMARK={wanted}", *self.MISSING).returncode, 0, wanted)


class JsonOption(unittest.TestCase):
    MISSING = ("WEIR_HAS_TLS=ON", "WEIR_JSON_INCLUDE_DIR=NOTFOUND")

    def test_on_without_the_library_names_the_package(self):
        done = configure("WeirAcme.cmake", "WEIR_WITH_JSON=ON", *self.MISSING)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nlohmann-json3-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(configure("WeirAcme.cmake", f"WEIR_WITH_JSON={wanted}", *self.MISSING).returncode, 0, wanted)


class ExpatOption(unittest.TestCase):
    MISSING = ("WEIR_EXPAT_INCLUDE_DIR=NOTFOUND", "WEIR_EXPAT_LIBRARY=NOTFOUND")

    def test_on_without_the_library_names_the_package(self):
        done = configure("WeirDav.cmake", "WEIR_WITH_EXPAT=ON", *self.MISSING)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libexpat1-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(configure("WeirDav.cmake", f"WEIR_WITH_EXPAT={wanted}", *self.MISSING).returncode, 0, wanted)


class CompressOptions(unittest.TestCase):
    LIBRARIES = (("ZLIB", "gzip", "zlib1g-dev"), ("BROTLI", "brotli", "libbrotli-dev"), ("ZSTD", "zstandard", "libzstd-dev"))

    def configure(self, wanted: str, of: str) -> subprocess.CompletedProcess[str]:
        missing = (f"WEIR_{coding}_{part}=NOTFOUND" for _, coding, _ in self.LIBRARIES for part in ("INCLUDE_DIR", "LIBRARY"))
        others = (f"WEIR_WITH_{library}=OFF" for library, _, _ in self.LIBRARIES if library != of)
        return configure("WeirCompress.cmake", f"WEIR_WITH_{of}={wanted}", *others, *missing)

    def test_on_without_the_library_names_the_package(self):
        for library, _, package in self.LIBRARIES:
            done = self.configure("ON", library)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"install {package}", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for library, _, _ in self.LIBRARIES:
            for wanted in ("AUTO", "OFF"):
                self.assertEqual(self.configure(wanted, library).returncode, 0, (library, wanted))


class LibdeflateOption(unittest.TestCase):
    """It is beside zlib, which is there."""

    def configure(self, wanted: str) -> subprocess.CompletedProcess[str]:
        there = (f"WEIR_gzip_{part}=/there" for part in ("INCLUDE_DIR", "LIBRARY"))
        missing = (f"WEIR_LIBDEFLATE_{part}=NOTFOUND" for part in ("INCLUDE_DIR", "LIBRARY"))
        others = (f"WEIR_WITH_{library}=OFF" for library in ("BROTLI", "ZSTD"))
        return configure("WeirCompress.cmake", "WEIR_WITH_ZLIB=ON", f"WEIR_WITH_LIBDEFLATE={wanted}", *there, *missing, *others)

    def test_on_without_the_library_names_the_package(self):
        done = self.configure("ON")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("install libdeflate-dev", " ".join(done.stderr.split()))

    def test_auto_and_off_need_none(self):
        for wanted in ("AUTO", "OFF"):
            self.assertEqual(self.configure(wanted).returncode, 0, wanted)


class WithoutCompression(unittest.TestCase):
    def test_asking_for_it_says_what_is_missing(self):
        done = run("serve", "--compress", "-p", "0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertIn("--compress: this build cannot compress: install one of libzstd-dev, libbrotli-dev, zlib1g-dev", done.stderr)

    def test_asking_for_one_coding_names_its_package(self):
        self.assertIn("this build has no br: install libbrotli-dev", run("serve", "--compress=br", "-p", "0").stderr)


class WithoutMarkdown(unittest.TestCase):
    def test_asking_for_it_says_what_is_missing(self):
        done = run("serve", "--markdown", "-p", "0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertIn("--markdown: this build has no cmark-gfm: install libcmark-gfm-dev", done.stderr)


class WithoutWebDav(unittest.TestCase):
    def test_asking_for_it_says_what_is_missing(self):
        done = run("serve", "--upload", "--webdav", "-p", "0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertIn("--webdav: this build has no Expat: install libexpat1-dev", done.stderr)


class WithoutTls(unittest.TestCase):
    def test_asking_for_it_says_what_is_missing(self):
        done = run("serve", "--tls", "-p", "0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertIn("--tls: this build has no OpenSSL: install libssl-dev", done.stderr)


class WithoutAcme(unittest.TestCase):
    def test_asking_for_it_says_what_is_missing(self):
        done = run("serve", "--domain", "example.org", "-b", "127.0.0.1:0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertIn("this build can't ask a CA: install libssl-dev and nlohmann-json3-dev", done.stderr)


class WithoutCrypt(unittest.TestCase):
    def test_asking_for_passwords_says_what_is_missing(self):
        for arguments in (("serve", "-p", "0", "--auth-user", "ada:$5$salt$" + "a" * 43), ("password", "ada")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
            self.assertIn("this build has no libcrypt: install libcrypt-dev", done.stderr)


class WithoutLibarchive(unittest.TestCase):
    def test_asking_for_archives_says_what_is_missing(self):
        done = run("serve", "--archive", "-p", "0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertIn("--archive: this build has no libarchive: install libarchive-dev", done.stderr)


class WithoutToml(unittest.TestCase):
    def test_a_file_of_settings_says_what_is_missing(self):
        for arguments in (("serve", "-p", "0", "--config", __file__), ("check-config", __file__)):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
            self.assertIn("this build has no toml++: install libtomlplusplus-dev", done.stderr)


class WithoutQrencode(unittest.TestCase):
    def test_asking_for_a_code_says_what_is_missing(self):
        done = run("serve", "--qr", "-p", "0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)
        self.assertIn("--qr: this build has no libqrencode; install libqrencode-dev", done.stderr)


class WithoutAsio(unittest.TestCase):
    def test_the_engine_is_listed_with_what_it_needs(self):
        engine, = (each for each in json.loads(run("engines", "--json").stdout) if each["name"] == "asio")
        self.assertFalse(engine["available"])
        self.assertIn("install libasio-dev", engine["unavailable_because"])

    def test_the_version_does_not_name_it_among_the_parts(self):
        self.assertIn("\nTLS: none\ncompression: none\noptional parts: none\n", run("--version").stdout)

    def test_choosing_it_is_one_line_and_a_failure(self):
        done = run("target", "-e", "asio", "-p", "0")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertIn("built without Asio: install libasio-dev", done.stderr)

    def test_the_others_are_not_touched_by_it(self):
        available = [each["name"] for each in json.loads(run("engines", "--json").stdout) if each["available"]]
        self.assertIn("epoll-level", available)


if __name__ == "__main__":
    unittest.main()
