#!/usr/bin/env python3
"""Each rule of structure.py catches what it is there for, and lets pass what it should."""

import unittest

import structure
from cpp_source import Tree
from finding import Finding


def errors(rule, tree: Tree) -> list[Finding]:
    return [finding for finding in rule(tree) if not finding.warning]


class PurityTest(unittest.TestCase):
    def findings(self, text: str, path: str = "src/http/x.cpp") -> list[Finding]:
        return errors(structure.http_is_pure, {path: text})

    def test_forbidden_headers_are_caught(self):
        for header in ["sys/uio.h", "unistd.h", "thread", "mutex", "atomic", "fstream", "iostream", "ctime", "cstdio"]:
            self.assertEqual(len(self.findings(f"#include <{header}>\n")), 1, header)
        self.assertEqual(len(self.findings("#include <mutex>\n", "include/weir/http/x.h")), 1)

    def test_forbidden_words_are_caught(self):
        for code in ["auto t = Clock::now();", "std::thread t;", "std::mutex m;", "if (errno) {}", "getenv(name);"]:
            self.assertEqual(len(self.findings(code + "\n")), 1, code)

    def test_words_in_comments_and_literals_pass(self):
        text = "// std::mutex\nauto s = \"std::thread\"; /* errno */ auto r = R\"(::now()\nstd::mutex)\";\n"
        self.assertEqual(self.findings(text), [])

    def test_a_digit_separator_opens_no_literal(self):
        self.assertEqual(len(self.findings("int n = 1'000; std::mutex m; char c = 'x';\n")), 1)

    def test_harmless_headers_and_other_floors_pass(self):
        self.assertEqual(self.findings("#include <chrono>\n#include <string_view>\n#include <immintrin.h>\n"), [])
        self.assertEqual(self.findings("#include <mutex>\n", "src/net/x.cpp"), [])


class EnginesTest(unittest.TestCase):
    def findings(self, text: str, path: str = "src/engines/epoll.cpp") -> list[Finding]:
        return errors(structure.engines_know_no_http, {path: text})

    def test_http_words_are_caught(self):
        for code in ['"GET"', '"HTTP/1.1 503"', '"Content-Length: 0"', 'ends_with("\\r\\n")']:
            self.assertTrue(self.findings(f"auto x = {code};\n"), code)

    def test_comments_may_speak_of_http(self):
        self.assertEqual(self.findings("// A HEAD or GET over HTTP/1.1, chunked\nwidget();\n"), [])


class LengthTest(unittest.TestCase):
    def test_limits(self):
        def found(lines: int, head: str = "") -> list[bool]:
            return [f.warning for f in structure.files_are_short({"src/net/a.cpp": head + "\n" * lines})]

        self.assertEqual(found(300), [])
        self.assertEqual(found(301), [True])
        self.assertEqual(found(501), [False])
        self.assertEqual(found(900, "// Generated from the registry of media types.\n"), [])


class SleepTest(unittest.TestCase):
    def findings(self, path: str, text: str) -> list[Finding]:
        return errors(structure.tests_wait_for_events, {path: text})

    def test_sleeps_are_caught(self):
        for code in ["std::this_thread::sleep_for(10ms);", "using namespace std::this_thread;", "namespace t = std::this_thread;",
                     "usleep(5);", "::sleep(1);", "sleep(1);"]:
            self.assertEqual(len(self.findings("tests/unit/net/a_test.cpp", code + "\n")), 1, code)
        self.assertEqual(len(self.findings("tests/end_to_end/a.py", "time.sleep(1)\n")), 1)

    def test_waiting_and_other_directories_pass(self):
        self.assertEqual(self.findings("tests/a_test.cpp", "ready.wait_for(lock, 5s); // no sleep_for\n"), [])
        self.assertEqual(self.findings("src/net/a.cpp", "usleep(1);\n"), [])
        self.assertEqual(self.findings("tests/unit/web/a_test.cpp", "co_await sleep_for(1s);\n"), [])
        self.assertEqual(self.findings("tests/contract/a_test.cpp", "co_await when_any(web::sleep_for(1s), a);\n"), [])


class GuardTest(unittest.TestCase):
    def test_a_header_without_a_guard_is_caught(self):
        self.assertEqual(len(errors(structure.headers_are_guarded, {"src/net/a.h": "int a;\n"})), 1)
        self.assertEqual(errors(structure.headers_are_guarded, {"src/net/a.h": "#pragma once\nint a;\n"}), [])


if __name__ == "__main__":
    unittest.main()
