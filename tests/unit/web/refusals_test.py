#!/usr/bin/env python3
"""Mistakes in programs that do not compile, each with a sentence that says how to do it; and what is right does compile.

usage: refusals_test.py COMPILER"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
GIVEN = sys.argv.pop() if len(sys.argv) > 1 else "c++"
OTHER = shutil.which("clang++-19")

PRELUDE = """#include <weir/web.h>
#include <memory>
#include <string>
using namespace std::chrono_literals;
using namespace weir::web;
struct Pair { std::string a; std::string b; };
struct Closed { bool await_ready() { return true; } };
struct Owner {
    std::string text;
    bool await_ready() const { return true; }
    void await_suspend(std::coroutine_handle<>) const {}
    void await_resume() const {}
};
"""

BY_VALUE = "refers to what may be gone when the coroutine goes on"
UNAWAITED = "without co_await"
AWAIT_HERE = "await this in the expression that makes it"
TWICE = "GCC before 13 destroys"

# What a program says within a function with `Router& router` and `Workers& workers`, and what the compiler says of it.
MISTAKES = {
    'router.get("/", [](Call&& c) -> Task<Response> { co_return text(std::string{c.path()}); });': BY_VALUE,
    'router.get("/", [](const Call& c) -> Task<Response> { co_return text(std::string{c.path()}); });': BY_VALUE,
    'router.get("/", [](const Call& c) { return stream(c, "a/b", [](Stream&& o) -> Task<> { co_await o.write("a"); }); });': BY_VALUE,
    'router.get("/", websocket([](WebSocket&& s) -> Task<> { co_await s.send("a"); }));': BY_VALUE,
    "auto f = [](std::string_view text) -> Task<int> { co_return int(text.size()); };": BY_VALUE,
    "auto f = [](const std::string& text) -> Task<int> { co_return int(text.size()); };": BY_VALUE,
    "auto f = [](int, std::span<const char> bytes) -> Task<int> { co_return int(bytes.size()); };": BY_VALUE,
    'router.get("/", [](const Call& c) { return events(c, [](Events& e) -> Task<> { co_await e.send({}); }); });':
        "takes its Stream, or its Events, by value",
    'router.get("/", websocket([](WebSocket&) -> Task<> { co_return; }));': "the coroutine of a WebSocket takes it by value",
    'router.get("/", [](const Call&) -> Task<Response> { return Task<Response>{}; });': "take the Call by value",
    'router.get("/", [](Call&) { return text(""); });': "a handler takes const Call&, Call, or nothing at all",
    'router.get("/", [](const Call&) {});': "a callback, which returns nothing, takes its Call by value",
    'router.get("/", [](const Call&) { return 7; });': "a handler returns Response, http::Reply or text",
    'router.get("/", [] {});': "a handler without a parameter returns Response, Task<Response> or text",
    'router.get("/", [] { return 7; });': "a handler without a parameter returns Response, Task<Response> or text",
    'router.get("/", [](Call) -> Task<> { co_return; });': "(it calls respond()) or Task<Response>",
    'router.get("/", [](Call) { return text(""); });': "(it calls respond()) or Task<Response>",
    "auto f = [](Workers& w) -> Task<> { offload(w, [] {}); co_return; };": UNAWAITED,
    'auto f = [](Stream out) -> Task<> { out.write("a"); co_return; };': UNAWAITED,
    "auto f = [](Events out) -> Task<> { out.send({}); co_return; };": UNAWAITED,
    "auto f = []() -> Task<> { sleep_for(1h); co_return; };": UNAWAITED,
    "auto f = [](Call call) -> Task<> { auto body = call.body(); body.all(); co_return; };": UNAWAITED,
    "auto f = [](Call call) -> Task<> { auto body = call.body(); body.next(); co_return; };": UNAWAITED,
    "auto f = [](WebSocket socket) -> Task<> { socket.receive(); co_return; };": UNAWAITED,
    'auto f = [](WebSocket socket) -> Task<> { socket.send("a"); co_return; };': UNAWAITED,
    "auto g = []() -> Task<> { co_return; }; auto f = [g]() -> Task<> { g(); co_return; };": "a coroutine runs when it is awaited",
    "auto f = []() -> Task<> { when_any(sleep_for(1h), sleep_for(2h)); co_return; };": UNAWAITED,
    "auto f = []() -> Task<> { when_all(sleep_for(1h), sleep_for(2h)); co_return; };": UNAWAITED,
    "auto f = []() -> Task<> { with_timeout(1h, sleep_for(2h)); co_return; };": UNAWAITED,
    "auto f = []() -> Task<> { task_group([](TaskGroup&) -> Task<> { co_return; }); co_return; };": UNAWAITED,
    "auto f = [](Flag flag) -> Task<> { flag.wait(); co_return; };": UNAWAITED,
    "auto f = [](Channel<int> channel) -> Task<> { channel.receive(); co_return; };": UNAWAITED,
    "auto f = [](Channel<int> channel) -> Task<> { channel.send(1); co_return; };": UNAWAITED,
    "auto f = [](WebSocket s) -> Task<> { auto w = s.receive(); co_await when_any(w, sleep_for(1h)); };": AWAIT_HERE,
    "auto g = []() -> Task<> { co_return; }; auto f = [g]() -> Task<> { auto t = g(); co_await when_all(t); };": AWAIT_HERE,
    "auto f = []() -> Task<> { co_await when_any(7); };": "this can't be awaited",
    "struct A { A(A&&) {} }; Channel<A> channel{1};": "a channel moves its values",
    "auto f = []() -> Task<> { co_await task_group([] {}); };": "the coroutine of a group",
    "auto f = [](Stream out) -> Task<> { auto w = out.write(std::string()); co_await w; };": AWAIT_HERE,
    "for (const auto& field : Form::from(\"a\").fields()) static_cast<void>(field);": "fields",
    "auto f = []() -> Task<> { co_await 7; };": "this can't be awaited",
    "auto f = []() -> Task<> { co_await Closed{}; };": "this can't be awaited",
    "auto f = [](Workers& w) -> Task<> { co_await offload(w, [](int) {}); };": "this one does not take them",
    "auto f = [](Workers& w) -> Task<> { std::string s; co_await offload(w, [](std::string& t) { t += 'a'; }, s); };":
        "std::ref() gives it an object of yours",
    'router.get("/", [](const Call& call) { return std::to_string(query_as<std::vector<int>>(call, "a").size()); });':
        "specialize FromText",
    'enum class Kind { one }; router.get("/", [](const Call& call) { return call.query<Kind>("a") ? "a" : "b"; });': "specialize FromText",
    "auto f = [](Workers& w) -> Task<> { auto g = [p = std::make_unique<int>()] {}; co_await offload(w, g); };": "use std::ref()",
    "int i; auto f = [&i](Workers& w) -> Task<> { co_await offload(w, [&i]() -> int& { return i; }); };": "returns a reference",
}

# Only where the compiler would get it wrong.
MISTAKES_OF_GCC_12 = {
    "auto f = [](Workers& w) -> Task<> { co_await offload(w, [n = std::string(100, 'x')] { return n.size(); }); };": TWICE,
    "auto f = [](Workers& w) -> Task<> { co_await offload(w, [](const Pair&) {}, Pair{\"a\", \"b\"}); };": TWICE,
    'auto f = []() -> Task<> { co_await Owner{"text"}; };': TWICE,
    'auto f = [](Channel<Pair> channel) -> Task<> { co_await channel.send(Pair{"a", "b"}); };': TWICE,
    "auto f = []() -> Task<> { co_await task_group([s = std::string()](TaskGroup&) -> Task<> { co_return; }); };": TWICE,
}

RIGHT = (
    "auto f = [](std::string text, Router& of) -> Task<int> { static_cast<void>(of); co_return int(text.size()); };",
    'router.get("/", [](Call call) -> Task<Response> { co_return text(std::string{call.path()}); });',
    'router.get("/", []() -> Task<Response> { co_return text("a"); });',
    'router.get("/", [] { return "text"; });',
    "struct A { Task<int> get() const { co_return 1; } }; auto f = []() -> Task<int> { const A a; co_return co_await a.get(); };",
    "auto f = [](Workers& w) -> Task<> { auto p = std::make_unique<int>(); co_await offload(w, [](std::unique_ptr<int>) {}, std::move(p)); };",
    "auto f = [](Workers& w) -> Task<> { std::string s; co_await offload(w, [](std::string& t) { t += 'a'; }, std::ref(s)); };",
    "auto f = [](Workers& w) -> Task<> { const auto g = [s = std::string()] {}; co_await offload(w, g); };",
)


def complaint(command: list[str], fragment: str) -> str:
    code = f"void function([[maybe_unused]] Router& router, [[maybe_unused]] Workers& workers) {{\n{fragment}\n}}\n"
    done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=code, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


@cache
def complaints(compiler: str) -> dict[str, str]:
    """What the compiler says of each fragment. It reads the headers once, as a precompiled one."""
    fragments = [*MISTAKES, *MISTAKES_OF_GCC_12, *RIGHT]
    common = [compiler, "-std=c++23", "-Werror=unused-result", f"-I{ROOT / 'include'}"]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        header = Path(folder, "prelude.h")
        header.write_text(PRELUDE)
        subprocess.run([*common, "-x", "c++-header", str(header), "-o", f"{header}.gch"], check=True)
        command = [*common, "-include", str(header)]
        return dict(zip(fragments, pool.map(lambda fragment: complaint(command, fragment), fragments), strict=True))


def destroys_twice(compiler: str) -> bool:
    """GCC before 13."""
    said = subprocess.run([compiler, "-dM", "-E", "-"], input="", capture_output=True, text=True, check=True).stdout
    macros = dict(line.split(maxsplit=2)[1:] for line in said.splitlines() if len(line.split(maxsplit=2)) == 3)
    return "__clang__" not in macros and int(macros["__GNUC__"]) < 13


class Refusals(unittest.TestCase):
    compiler = GIVEN

    def judge(self, fragment: str, expected: str) -> None:
        """The sentence is in the error, and stands in few others."""
        said = complaints(self.compiler)[fragment]
        with self.subTest(fragment=fragment):
            errors = [line for line in said.splitlines() if "error:" in line]
            self.assertIn(expected, " ".join(said.replace("|", " ").split()), errors)
            self.assertLessEqual(len(errors), 4, errors)

    def test_mistakes(self) -> None:
        for fragment, expected in MISTAKES.items():
            self.judge(fragment, expected)

    def test_what_the_compiler_gets_wrong(self) -> None:
        for fragment, expected in MISTAKES_OF_GCC_12.items():
            if destroys_twice(self.compiler):
                self.judge(fragment, expected)
            else:
                self.assertEqual(complaints(self.compiler)[fragment], "", fragment)

    def test_what_is_right(self) -> None:
        for fragment in RIGHT:
            self.assertEqual(complaints(self.compiler)[fragment], "", fragment)


@unittest.skipUnless(OTHER, "there is no clang++-19")
class RefusalsOfClang(Refusals):
    compiler = OTHER or ""


if __name__ == "__main__":
    unittest.main()
