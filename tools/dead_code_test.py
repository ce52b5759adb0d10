#!/usr/bin/env python3
"""Dead code is found, and what is alive is left alone."""

import unittest
from unittest import mock

import dead_code
from cpp_source import Tree


def reported(tree: Tree) -> list[str]:
    return [f"{finding.path}: {finding.message}" for finding in dead_code.declarations_are_used(tree)]


class DeclarationsTest(unittest.TestCase):
    def test_what_nothing_uses_is_found(self):
        for declared, name in [("int f();", "f"), ("int f(int a) { return a; }", "f"), ("constexpr int a = 1;", "a"),
                               ("struct A { int b; };\nA c(A);\nint d = c({.b = 1});\nint e = d;", "e"),
                               ("enum class A { b, c };\nint f(A);\nint g = f(A::b);\nint h = g + h;", "A::c")]:
            tree = {"src/net/a.h": declared + "\n"}
            self.assertEqual(reported(tree), [f"src/net/a.h: nothing uses {name}"], declared)

    def test_a_declaration_and_its_definition_are_no_use(self):
        tree = {"src/net/a.h": "class A {\n    int f();\n};\n", "src/net/a.cpp": "int A::f() { return 1; }\nA b = b;\n"}
        self.assertEqual(reported(tree), ["src/net/a.h: nothing uses A::f"])

    def test_a_use_in_another_file_is_one(self):
        self.assertEqual(reported({"src/net/a.h": "int f();\n", "src/net/b.cpp": "void g() { f(); g(); }\n"}), [])

    def test_comments_and_literals_are_no_use(self):
        tree = {"src/net/a.h": "int f();\n", "src/net/b.cpp": 'void g() { g(); /* f() */ h("f"); }  // f\n'}
        self.assertEqual(len(reported(tree)), 1)

    def test_what_only_tests_use_is_found(self):
        tree = {"src/net/a.h": "int f();\n", "tests/a_test.cpp": "int a = f();\n"}
        self.assertEqual(reported(tree), ["src/net/a.h: only tests use f"])

    def test_an_exception_passes_and_must_be_declared(self):
        tree = {"src/net/a.h": "class A {\n    int f();\n};\nA b = b;\n", "tests/a_test.cpp": "int a = b.f();\n"}
        with mock.patch.dict(dead_code.EXCEPTIONS, {"A::f": "a reason"}, clear=True):
            self.assertEqual(reported(tree), [])
            self.assertEqual(list(dead_code.exceptions_are_needed(tree)), [])
            self.assertEqual(len(list(dead_code.exceptions_are_needed({}))), 1)

    def test_the_public_interface_is_used_by_tests_or_documents(self):
        tree = {"include/weir/a.h": "int f();\nenum class B { c };\nB d = d;\n"}
        self.assertEqual(reported(tree), ["include/weir/a.h: nothing uses f"])
        self.assertEqual(reported(tree | {"tests/a_test.cpp": "int a = f();\n"}), [])
        self.assertEqual(reported(tree | {"docs/a.md": "Call `f()`.\n"}), [])

    def test_overrides_and_destructors_pass(self):
        text = "class A : B {\n    ~A();\n    int f() override { return 1; }\n    int g() override;\n};\nA c = c;\n"
        self.assertEqual(reported({"src/net/a.h": text, "src/net/a.cpp": "int A::g() { return 1; }\n"}), [])


class MembersTest(unittest.TestCase):
    CLASSES = {"src/net/a.h": "class A {\n    int fd();\n};\n", "src/net/b.h": "class B {\n    int fd();\n};\n"}

    def dead(self, code: str) -> list[str]:
        return [finding.rpartition(" ")[2] for finding in reported(self.CLASSES | {"src/net/c.cpp": code})]

    def test_the_object_says_whose_function_is_meant(self):
        self.assertEqual(self.dead("void g(A& a, B* b) { g(a, b), a.fd(); }\n"), ["B::fd"])
        self.assertEqual(self.dead("void g(A& a, B* b) { g(a, b), b->fd(); }\n"), ["A::fd"])
        self.assertEqual(self.dead("std::unique_ptr<A> a_[2];\nB b;\nint c = a_[f(b)]->fd() + c;\n"), ["B::fd"])
        self.assertEqual(self.dead("A& a();\nB b;\nint c = a(b).fd() + c;\n"), ["B::fd"])
        self.assertEqual(self.dead("using C = A;\nB b;\nint g(C& c) { return c.fd() + g(b); }\n"), ["B::fd"])
        self.assertEqual(self.dead("B b = b;\nA a = a;\nint c = A::fd() + c;\n"), ["B::fd"])

    def test_an_object_of_unknown_type_may_be_any(self):
        self.assertEqual(self.dead("A a = a;\nB b = b;\nvoid g() { for (auto& each : h(g)) each.fd(); }\n"), [])

    def test_a_derived_class_has_the_functions_of_its_base(self):
        code = "class C : public A {};\nB b = b;\nint g(C& c) { return c.fd() + g(c); }\n"
        self.assertEqual(self.dead(code), ["B::fd"])

    def test_the_last_word_is_what_stands_before_arguments_and_indices(self):
        for text in ["a.b", "a->b", "b(c, d(e))", "b[f(1)]", "a.b(c)[d]", " b"]:
            self.assertEqual(dead_code.last_word(text), "b", text)
        self.assertEqual(dead_code.last_word("(a + b)"), "")


class FilesTest(unittest.TestCase):
    def named(self, tree: Tree) -> list[str]:
        return [finding.path for finding in dead_code.files_are_named(tree)]

    def test_a_header_that_nothing_includes_is_found(self):
        self.assertEqual(self.named({"src/net/a.h": ""}), ["src/net/a.h"])
        self.assertEqual(self.named({"src/net/a.h": "", "bench/CMakeLists.txt": "b.cpp",
                                     "bench/b.cpp": '#include "net/a.h"\n'}), [])

    def test_a_source_that_is_not_built_is_found(self):
        for listed in ["SOURCES other_a.cpp", "SOURCES room/a.cpp", ""]:
            self.assertEqual(self.named({"src/net/a.cpp": "", "src/net/CMakeLists.txt": listed}), ["src/net/a.cpp"])
        self.assertEqual(self.named({"src/net/a.cpp": "", "src/net/CMakeLists.txt": "SOURCES\n  a.cpp\n"}), [])

    def test_the_list_of_a_floor_names_its_rooms(self):
        tree = {"src/http/head/a.cpp": "", "src/http/CMakeLists.txt": "SOURCES head/a.cpp"}
        self.assertEqual(self.named(tree), [])
        self.assertEqual(len(self.named(tree | {"src/http/CMakeLists.txt": "SOURCES a.cpp"})), 1)

    def test_programs_of_tests_are_named_anywhere_below(self):
        self.assertEqual(self.named({"tests/fuzz/a.cpp": "", "tests/programs.cmake": "set(FUZZED a b)"}), [])
        self.assertEqual(len(self.named({"tests/fuzz/a.cpp": "", "tests/programs.cmake": "set(FUZZED aa b)"})), 1)


if __name__ == "__main__":
    unittest.main()
