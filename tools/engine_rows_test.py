#!/usr/bin/env python3
"""The files that tools/engine_rows.py writes are as it would write them, and it writes what the rows say."""

import unittest
from dataclasses import replace

import engine_rows
from engine_rows import FILES, PART, PARTS, ROOT, Costs, Engine, Family, Rows, Wrong, engine, outdated, read, rewritten

SPIN = Engine("spin-fast", "loop", "It tries.", "one thread", "inline, on the loop's thread", "nothing", "a < b", "sleep",
              Costs("1 KB", "3.0", "2.0", "5", "0"), "A loop.", ("workers",), "worker", 2, True, True)
ROWS = Rows({"loop": Family("A loop", "It's one.", ("#000", "#fff"))}, [SPIN])


def part(name: str) -> str:
    return rewritten(f"before\n# engines: begin {name}\nold\n# engines: end\nafter\n", ROWS)


class Tree(unittest.TestCase):
    def test_is_as_the_rows_have_it(self):
        found = [str(path.relative_to(ROOT)) for path in outdated()]
        self.assertEqual(found, [], "to write it: python3 tools/engine_rows.py")

    def test_has_every_part_once(self):
        parts = [found[2] for name in FILES for found in PART.finditer((ROOT / name).read_text(encoding="utf-8"))]
        self.assertEqual(sorted(parts), sorted(PARTS))

    def test_has_a_source_for_each_row(self):
        for one in read().engines:
            self.assertTrue((ROOT / f"src/engines/{one.function}.cpp").is_file(), one.name)


class Parts(unittest.TestCase):
    def test_replace_what_is_between_the_markers_and_nothing_else(self):
        self.assertEqual(part("waits"), """before
# engines: begin waits
| engine | what waits | where handlers run |
|---|---|---|
| `spin-fast` | one thread | inline, on the loop's thread |
# engines: end
after
""")

    def test_of_the_table_are_what_clang_format_makes_of_them(self):
        self.assertIn('        .has_workers = true,\n        .forks = Process::worker,\n', part("table"))
        self.assertIn('        .frees_port_within = std::chrono::seconds{2},\n        .run = run_spin_fast,\n'
                      '        .unavailable = spin_fast_unavailable,\n    },\n', part("table"))
        long = Rows(ROWS.families, [replace(SPIN, waits="x" * 81)])
        self.assertIn(f'.waits =\n            "{"x" * 81}",\n', "\n".join(engine_rows.table(long)))

    def test_of_the_sources_leave_out_what_the_build_may_leave_out(self):
        self.assertNotIn("spin", part("sources"))
        self.assertIn("        spin.cpp", engine_rows.sources(Rows({}, [replace(SPIN, name="spin", is_optional=False)])))

    def test_of_the_site_are_escaped(self):
        self.assertIn("<dd>inline, on the loop’s thread</dd>", part("site"))
        self.assertIn("<dd>a &lt; b</dd>", part("site"))

    def test_of_a_picture_say_what_it_shows(self):
        picture = "![old](../www/images/engines/spin-fast.svg)"
        self.assertEqual(rewritten(picture, ROWS), "![A loop.](../www/images/engines/spin-fast.svg)")


class Row(unittest.TestCase):
    def test_names_what_it_lacks_or_has_too_much(self):
        row = vars(SPIN) | {"costs": vars(SPIN.costs)}
        del row["name"]
        self.assertEqual(engine(("spin-fast", row)), SPIN)
        for wrong in (row | {"wait": "x"}, {key: value for key, value in row.items() if key != "waits"}):
            with self.assertRaisesRegex(Wrong, r"\[engine.spin-fast\].*wait"):
                engine(("spin-fast", wrong))


if __name__ == "__main__":
    unittest.main()
