#!/usr/bin/env python3
"""Each rule about floors and rooms catches what it is there for, and lets pass what it should."""

import unittest

import house
from cpp_source import Tree
from finding import Finding


class ArrowsTest(unittest.TestCase):
    HEADERS = {"src/net/a.h": "", "src/site/a.h": "", "src/engines/a.h": "", "include/weir/http/a.h": "",
               "src/base/a.h": "", "include/weir/weir.h": ""}

    def findings(self, path: str, include: str) -> list[Finding]:
        return list(house.arrows_point_down(self.HEADERS | {path: f'\n#include "{include}"\n'}))

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
        self.assertEqual(list(house.arrows_point_down(tree)), [])


class CirclesTest(unittest.TestCase):
    def test_a_circle_is_caught_and_named_once(self):
        tree = {"src/net/a.h": '#include "net/b.h"\n', "src/net/b.h": '#include "net/c.h"\n',
                "src/net/c.h": '#include "net/a.h"\n'}
        (finding,) = house.includes_make_no_circle(tree)
        self.assertIn("src/net/a.h > src/net/b.h > src/net/c.h > src/net/a.h", finding.message)

    def test_two_ways_to_one_file_are_no_circle(self):
        tree = {"src/net/a.h": '#include "net/b.h"\n#include "net/c.h"\n', "src/net/b.h": '#include "net/c.h"\n',
                "src/net/c.h": ""}
        self.assertEqual(list(house.includes_make_no_circle(tree)), [])


class FloorsTest(unittest.TestCase):
    def test_a_room_stands_on_the_floor_that_it_is_in(self):
        self.assertEqual(house.floor_of("src/http/head/parser.h"), "http")
        self.assertEqual(house.floor_of("src/http/connection.h"), "http")
        self.assertEqual(house.floor_of("include/weir/http/request.h"), "http")
        self.assertEqual(house.floor_of("include/weir/weir.h"), "server")
        self.assertIsNone(house.floor_of("tests/unit/http/a_test.cpp"))

    def test_rooms_do_not_hide_an_arrow(self):
        tree = {"src/http/head/a.h": '#include "net/b/c.h"\n', "src/net/b/c.h": ""}
        self.assertEqual(len(list(house.arrows_point_down(tree))), 1)


class PermissionsTest(unittest.TestCase):
    def used(self) -> Tree:
        headers = {f"src/{floor}/room/a.h": "" for floor in house.BELOW}
        return headers | {f"src/{floor}/b.cpp": "".join(f'#include "{other}/room/a.h"\n' for other in below)
                          for floor, below in house.BELOW.items()}

    def test_a_permission_that_is_not_used_is_caught(self):
        tree = self.used()
        self.assertEqual(list(house.permissions_are_used(tree)), [])
        tree["src/http/b.cpp"] = ""
        (finding,) = house.permissions_are_used(tree)
        self.assertEqual(finding.message, "http may include base, but no file of it does")


class DirectionTest(unittest.TestCase):
    def test_two_folders_that_include_each_other_are_caught_with_the_places(self):
        tree = {"src/net/a.h": '#include "net/room/b.h"\n', "src/net/room/b.h": "", "src/net/room/c.h": '\n#include "net/d.h"\n',
                "src/net/d.h": ""}
        (finding,) = house.rooms_have_one_direction(tree)
        self.assertEqual((finding.path, finding.line), ("src/net/a.h", 1))
        self.assertIn("src/net/a.h:1 includes of src/net/room, src/net/room/c.h:2 includes of src/net", finding.message)

    def test_so_are_folders_in_a_longer_circle(self):
        tree = {"src/net/a/a.h": '#include "net/b/b.h"\n', "src/net/b/b.h": "", "src/net/b/x.h": '#include "net/c/c.h"\n',
                "src/net/c/c.h": "", "src/net/c/x.h": '#include "net/a/y.h"\n', "src/net/a/y.h": ""}
        self.assertEqual(len(list(house.rooms_have_one_direction(tree))), 1)

    def test_one_direction_is_right(self):
        tree = {"src/net/a.h": '#include "net/b.h"\n#include "net/room/c.h"\n', "src/net/b.h": "", "src/net/room/c.h": "",
                "src/net/room/d.h": '#include "net/other/e.h"\n#include "weir/net/f.h"\n', "src/net/other/e.h": "",
                "include/weir/net/f.h": ""}
        self.assertEqual(list(house.rooms_have_one_direction(tree)), [])


class MapsTest(unittest.TestCase):
    def maps(self, **changed: set[str]) -> Tree:
        below = house.BELOW | changed
        rows = [f"| `{floor}/` | what it `contains` | {', '.join(f'`{other}`' for other in others)} |"
                for floor, others in below.items()]
        files = {f"src/{floor}/CMakeLists.txt": f"weir_floor({floor}\n    DEPENDS {' '.join(others)}\n    SOURCES a)\n"
                 for floor, others in below.items()}
        return files | {house.ARCHITECTURE: "# Architecture\n\n" + "\n".join(rows) + "\n"}

    def test_maps_that_agree_pass(self):
        self.assertEqual(list(house.maps_agree(self.maps())), [])

    def test_a_difference_is_caught_in_both(self):
        found = list(house.maps_agree(self.maps(http={"base", "net"})))
        self.assertEqual([f.path for f in found], ["src/http/CMakeLists.txt", house.ARCHITECTURE])
        self.assertIn("it lets http include net", found[0].message)
        self.assertEqual(len(list(house.maps_agree(self.maps(http=set())))), 2)

    def test_a_map_without_the_floor_is_caught(self):
        tree = self.maps() | {"src/net/CMakeLists.txt": "", house.ARCHITECTURE: ""}
        self.assertEqual(len(list(house.maps_agree(tree))), 1 + len(house.BELOW))


class RoomsTest(unittest.TestCase):
    def findings(self, room: str, ideas: int) -> list[Finding]:
        tree = {f"{room}/idea{i}.{ending}": "" for i in range(ideas) for ending in ("h", "cpp")}
        return list(house.rooms_are_small(tree))

    def test_a_crowded_room_is_caught(self):
        self.assertEqual(self.findings("src/net", house.IDEAS_MAX), [])
        self.assertEqual([f.path for f in self.findings("src/net", house.IDEAS_MAX + 1)], ["src/net"])
        self.assertEqual(len(self.findings("src/http/head", house.IDEAS_MAX + 1)), 1)

    def test_engines_do_not_crowd_a_room(self):
        tree = {f"src/engines/e{i}.cpp": f"std::error_code run_e{i}(Host&) {{}}\n" for i in range(house.IDEAS_MAX + 1)}
        self.assertEqual(list(house.rooms_are_small(tree)), [])

    def test_what_stands_in_for_an_optional_part_is_no_further_idea(self):
        tree = {f"src/net/idea{i}{ending}.cpp": "" for i in range(house.IDEAS_MAX) for ending in ("", "_unavailable")}
        self.assertEqual(list(house.rooms_are_small(tree)), [])


if __name__ == "__main__":
    unittest.main()
