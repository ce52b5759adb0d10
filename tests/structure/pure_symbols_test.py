#!/usr/bin/env python3
"""pure_symbols.py refuses what it is there for."""

import unittest

from pure_symbols import is_allowed, parse


class PureSymbolsTest(unittest.TestCase):
    def test_the_system_is_refused(self):
        for symbol in ["read", "write", "recv", "send", "sendfile", "socket", "open", "openat", "syscall", "time", "poll",
                       "clock_gettime", "gettimeofday", "pthread_create", "pthread_mutex_lock", "printf", "getenv",
                       "std::chrono::_V2::steady_clock::now()", "std::condition_variable::wait(std::unique_lock&)",
                       "std::thread::join()", "std::basic_ofstream<char>::close()", "std::random_device::_M_getval()"]:
            self.assertFalse(is_allowed(symbol), symbol)

    def test_memory_values_and_exceptions_pass(self):
        for symbol in ["memcpy", "memchr", "operator new(unsigned long)", "__cxa_throw", "_Unwind_Resume", "__assert_fail",
                       "std::__throw_length_error(char const*)", "weir::http::status_text(int)", "vtable for weir::http::A",
                       "std::__cxx11::basic_string<char>::_M_append(char const*, unsigned long)"]:
            self.assertTrue(is_allowed(symbol), symbol)

    def test_what_the_archive_defines_is_not_open(self):
        text = ("a.o:\n                 U recv\n                 U weir::http::b()\n0000000000000000 T weir::http::a()\n"
                "b.o:\n0000000000000010 T weir::http::b()\n                 w __gmon_start__\n")
        self.assertEqual(parse(text), {"recv", "__gmon_start__"})


if __name__ == "__main__":
    unittest.main()
