#!/usr/bin/env python3
"""Each structure rule catches what it is there for, and lets pass what it should."""

import unittest

import structure
from structure import Finding, Tree


def errors(rule, tree: Tree) -> list[Finding]:
    return [finding for finding in rule(tree) if not finding.warning]


class ArrowsTest(unittest.TestCase):
    HEADERS = {"src/net/a.h": "", "src/site/a.h": "", "src/engines/a.h": "", "include/weir/http/a.h": "",
               "src/base/a.h": "", "include/weir/weir.h": ""}

    def findings(self, path: str, include: str) -> list[Finding]:
        return errors(structure.arrows_point_down, self.HEADERS | {path: f'\n#include "{include}"\n'})

    def test_down_is_allowed(self):
        for path, include in [("src/http/x.h", "base/a.h"), ("src/site/x.cpp", "net/a.h"),
                              ("src/engines/x.cpp", "weir/http/a.h"), ("src/cli/x.cpp", "weir/weir.h")]:
            self.assertEqual(self.findings(path, include), [])

    def test_up_and_across_are_caught(self):
        for path, include in [("src/http/x.h", "net/a.h"), ("src/net/x.cpp", "site/a.h"),
                              ("src/engines/x.cpp", "site/a.h"), ("src/site/x.h", "engines/a.h"),
                              ("include/weir/http/x.h", "net/a.h"), ("src/net/x.h", "weir/weir.h")]:
            found = self.findings(path, include)
            self.assertEqual([(f.path, f.line) for f in found], [(path, 2)], include)

    def test_a_file_that_is_not_there_is_caught(self):
        self.assertEqual(len(self.findings("src/net/x.cpp", "a.h")), 1)

    def test_an_unknown_floor_is_caught(self):
        self.assertEqual(len(self.findings("src/attic/x.cpp", "base/a.h")), 1)

    def test_a_comment_is_no_include(self):
        tree = self.HEADERS | {"src/http/x.h": '// #include "net/a.h"\n/*\n#include "net/a.h"\n*/\n'}
        self.assertEqual(errors(structure.arrows_point_down, tree), [])


class CirclesTest(unittest.TestCase):
    def test_a_circle_is_caught_and_named_once(self):
        tree = {"src/net/a.h": '#include "net/b.h"\n', "src/net/b.h": '#include "net/c.h"\n',
                "src/net/c.h": '#include "net/a.h"\n'}
        (finding,) = structure.includes_make_no_circle(tree)
        self.assertIn("src/net/a.h > src/net/b.h > src/net/c.h > src/net/a.h", finding.message)

    def test_two_ways_to_one_file_are_no_circle(self):
        tree = {"src/net/a.h": '#include "net/b.h"\n#include "net/c.h"\n', "src/net/b.h": '#include "net/c.h"\n',
                "src/net/c.h": ""}
        self.assertEqual(list(structure.includes_make_no_circle(tree)), [])


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

    def test_a_long_engine_is_caught(self):
        self.assertEqual(len(self.findings("\n" * 281)), 1)
        self.assertEqual(self.findings("\n" * 280), [])
        self.assertEqual(self.findings("// what it is\n" * 20 + "\n" * 280), [])


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
        for code in ["std::this_thread::sleep_for(10ms);", "usleep(5);", "::sleep(1);", "sleep(1);"]:
            self.assertEqual(len(self.findings("tests/unit/net/a_test.cpp", code + "\n")), 1, code)
        self.assertEqual(len(self.findings("tests/end_to_end/a.py", "time.sleep(1)\n")), 1)

    def test_waiting_and_other_directories_pass(self):
        self.assertEqual(self.findings("tests/a_test.cpp", "ready.wait_for(lock, 5s); // no sleep_for\n"), [])
        self.assertEqual(self.findings("src/net/a.cpp", "usleep(1);\n"), [])


class GuardTest(unittest.TestCase):
    def test_a_header_without_a_guard_is_caught(self):
        self.assertEqual(len(errors(structure.headers_are_guarded, {"src/net/a.h": "int a;\n"})), 1)
        self.assertEqual(errors(structure.headers_are_guarded, {"src/net/a.h": "#pragma once\nint a;\n"}), [])


if __name__ == "__main__":
    unittest.main()
