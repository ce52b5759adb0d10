#!/usr/bin/env python3
"""What the tools read out of C++ is what stands there."""

import unittest

from cpp_source import code_alone, declarations, own_includes, without_comments


def kinds(text: str) -> list[tuple[str, str]]:
    return [(each.kind, each.full_name) for each in declarations(text)]


class TextTest(unittest.TestCase):
    def test_comments_and_literals_become_blanks_line_for_line(self):
        text = 'int a; // b\n/* c\n */ auto d = "e"; int n = 1\'000;\n'
        self.assertEqual(without_comments(text), 'int a;     \n    \n    auto d = "e"; int n = 1\'000;\n')
        self.assertEqual(code_alone(text), "int a;     \n    \n    auto d =    ; int n = 1'000;\n")


class IncludesTest(unittest.TestCase):
    def test_paths_start_at_the_source_and_for_tests_also_beside_them(self):
        tree = {"src/net/a.h": "", "tests/unit/pair.h": "", "src/net/b.cpp": '#include "net/a.h"\n#include "pair.h"\n',
                "tests/unit/a_test.cpp": '#include "net/a.h"\n#include "pair.h"\n'}
        self.assertEqual([target for _, _, target in own_includes(tree, "src/net/b.cpp")], ["src/net/a.h", None])
        self.assertEqual([target for _, _, target in own_includes(tree, "tests/unit/a_test.cpp")],
                         ["src/net/a.h", "tests/unit/pair.h"])


class DeclarationsTest(unittest.TestCase):
    def test_functions(self):
        for text in ["int f(int a);", "int f(int a = g()) { return h(a); }", "[[b]] auto f() -> int { return 1; }",
                     "template <typename T>\nint f(std::span<const T> a) noexcept(true) { return {}; }",
                     "std::error_code f(A& a) try {\n} catch (const B& b) {\n}", "virtual int f() const = 0;"]:
            self.assertEqual(kinds(text), [("function", "f")], text)

    def test_a_body_is_told_from_a_mere_declaration(self):
        self.assertEqual([each.has_body for each in declarations("int f();\nint g() { return {}; }\n")], [False, True])

    def test_members_have_an_owner_inside_and_outside_of_the_class(self):
        text = ("class A final : public B {\n   public:\n    explicit A(int a) : a_{a}, b_{1} {}\n    int f() const;\n"
                "   private:\n    std::function<int(int)> g_;\n    int (*h_)() = nullptr;\n    bool i : 1 = 0;\n};\n"
                "int A::f() const { return 1; }\n")
        self.assertEqual(kinds(text), [("type", "A"), ("function", "A::A"), ("function", "A::f"), ("variable", "A::g_"),
                                       ("variable", "A::h_"), ("variable", "A::i"), ("function", "A::f")])

    def test_variables_types_and_enumerators(self):
        text = ("namespace a {\nconstexpr std::array<int, 2> b{1, 2};\nconst int c = d(3);\nusing E = F<int>;\n"
                "enum class G : int { h, i = 2 };\nenum J { k };\nstruct alignas(64) L::M {};\nclass N;\n}\n")
        self.assertEqual(kinds(text), [("variable", "b"), ("variable", "c"), ("type", "E"), ("type", "G"),
                                       ("enumerator", "G::h"), ("enumerator", "G::i"), ("unscoped enumeration", "J"),
                                       ("enumerator", "J::k"), ("type", "M"), ("type", "N")])

    def test_what_lies_in_functions_and_what_names_nothing_new_is_left_out(self):
        self.assertEqual(kinds("using A::b;\nstatic_assert(c(1));\nnamespace d = e;\nfriend class F;\n"), [])
        text = "void f() {\n    int g = 1;\n    struct H {};\n    i([] { return 2; });\n}\n"
        self.assertEqual(kinds(text), [("function", "f")])


if __name__ == "__main__":
    unittest.main()
