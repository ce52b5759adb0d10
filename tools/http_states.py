#!/usr/bin/env python3
"""Draws docs/http-states.svg from the rows in src/http/head/head_states.h.

    http_states.py            writes the picture
    http_states.py --check    exits 1 where the picture is not that of the rows

The rows say which arrows there are; only where things stand is laid by hand, below.
"""

import re
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = ROOT / "src/http/head/head_states.h"
PICTURE = ROOT / "docs/http-states.svg"

CELL_WIDTH, CELL_HEIGHT = 152, 84
BOX_WIDTH, BOX_HEIGHT = 122, 32
MARGIN_X, MARGIN_Y = 112, 92

# Column and row of each state.
PLACES = {
    "start": (0, 0), "start_lf": (0, 1), "method_first": (1, 1), "method": (1, 0), "target": (2, 0),
    "path": (4, 0), "query": (6, 0), "asterisk_form": (3, 1),
    "scheme": (2, 2), "scheme_colon": (3, 2), "scheme_slash": (4, 2), "authority_first": (5, 2),
    "authority": (5, 1), "authority_form": (3, 3),
    "version_h": (0, 4), "version_t": (1, 4), "version_t2": (2, 4), "version_p": (3, 4),
    "version_slash": (4, 4), "version_major": (5, 4), "version_dot": (6, 4), "version_minor": (7, 4),
    "request_cr": (8, 4), "request_lf": (9, 4),
    "foreign_dot": (6, 5), "foreign_minor": (7, 5), "foreign_cr": (8, 5), "foreign_lf": (9, 5),
    "line": (0, 7), "field_name": (2, 7), "before_value": (4, 7), "field_value": (6, 7),
    "field_lf": (8, 7), "last_lf": (0, 8), "complete": (2, 8),
    "size_first": (0, 10), "size": (2, 10), "size_lf": (4, 10), "data": (6, 10), "data_cr": (8, 10),
    "data_lf": (8, 11),
    "before_extension": (0, 13), "extension_first": (2, 13), "extension_name": (4, 13),
    "after_extension_name": (4, 14), "extension_equals": (6, 13), "extension_value": (8, 13),
    "extension_quoted": (8, 14), "extension_escape": (9, 14), "extension_end": (6, 15),
}

# The bends of arrows that do not go straight, in columns and rows; the first and last lie on the boxes' edges.
BENDS = {
    ("path", "version_h"): [(4, 0.5), (6.9, 0.5), (6.9, 3.5), (0, 3.5)],
    ("query", "version_h"): [(6.9, 0), (6.9, 3.5), (0, 3.5)],
    ("asterisk_form", "version_h"): [(3, 1.45), (6.9, 1.45), (6.9, 3.5), (0, 3.5)],
    ("authority", "version_h"): [(6.9, 1), (6.9, 3.5), (0, 3.5)],
    ("authority_form", "version_h"): [(3, 3.5), (0, 3.5)],
    ("authority", "path"): [(4.75, 0.1)],
    ("authority", "query"): [(5.02, 0.1)],
    ("target", "asterisk_form"): [(2.3, 1)],
    ("target", "authority_form"): [(1.8, 0.5), (1.5, 0.5), (1.5, 3)],
    ("version_major", "foreign_dot"): [(5, 5)],
    ("request_lf", "line"): [(9.62, 4), (9.62, 6.2), (0, 6.2)],
    ("field_lf", "line"): [(8, 7.45), (0.25, 7.45)],
    ("before_value", "field_lf"): [(3.75, 6.45), (8, 6.45)],
    ("data", "line"): [(6, 9.25), (-0.6, 9.25), (-0.6, 7)],
    ("data_lf", "size_first"): [(0, 11)],
    ("size", "before_extension"): [(1.75, 12), (0, 12)],
    ("extension_value", "before_extension"): [(9.62, 13), (9.62, 15.6), (-0.25, 15.6)],
    ("extension_end", "before_extension"): [(6, 15.6), (-0.25, 15.6)],
    ("extension_value", "extension_first"): [(7.7, 12.35), (1.75, 12.35)],
    ("extension_name", "extension_first"): [(3.75, 13.45), (2.25, 13.45)],
    ("after_extension_name", "extension_first"): [(2, 14)],
    ("extension_end", "extension_first"): [(1.75, 15)],
    ("extension_value", "size_lf"): [(8, 11.65), (4.25, 11.65)],
    ("extension_end", "size_lf"): [(7, 15), (7, 11.65), (4.25, 11.65)],
    ("after_extension_name", "extension_equals"): [(6, 14)],
    ("extension_equals", "extension_quoted"): [(6.25, 13.5), (7.75, 13.5)],
    ("extension_quoted", "extension_end"): [(8, 14.6), (6.25, 14.6)],
    ("extension_escape", "extension_quoted"): [(9, 14.45), (8.25, 14.45)],
}

LANES = [
    (-0.62, "Request line (RFC 9112 3)"),
    (6.05, "Field lines of a head, and of a trailer section (RFC 9112 5)"),
    (9.1, "Chunked coding (RFC 9112 7.1)"),
]

NAMES = {
    "cr": "CR", "lf": "LF", "space": "SP", "white": "SP HTAB", "slash": "/", "asterisk": "*", "colon": ":",
    "semicolon": ";", "equals": "=", "question": "?", "dot": ".", "quote": '"', "backslash": "\\", "one": "1",
    "digit": "0, 2-9", "digits": "digit", "letters": "letter", "letter_h": "H", "letter_t": "T", "letter_p": "P",
    "hex": "hex digit", "host": "host byte", "path_bytes": "path byte", "query_bytes": "query byte",
    "high": "obs-text", "bracket": "[ ]", "value": "value byte", "quoted": "qdtext", "escaped": "any but CTL",
    "no_data": "size is 0", "data_end": "data ends",
}


def read_rows(text):
    """[(from, bytes, to, action)] and [(from, bytes, fault)], as they stand in the header."""
    begin = text.index("to_array<Row>({")
    body = text[begin:text.index("// clang-format on", begin)]
    body = re.sub(r"//[^\n]*", "", body)
    body = body[body.index("{") + 1:]
    rows = [[part.strip() for part in row.split(",")] for row in re.findall(r"\{([^{}]*)\}", body)]
    refusals = [[part.strip() for part in row.split(",")] for row in re.findall(r"refuse\(([^()]*)\)", body)]
    return rows, refusals


def words(bytes_set):
    """The name of a set of bytes, as the picture has it."""
    plus, *minus = [part.strip() for part in bytes_set.split(" - ")]
    name = " or ".join(NAMES.get(part.strip(), part.strip()) for part in plus.split("|"))
    return name + (" but " + ", ".join(NAMES.get(part, part) for part in minus) if minus else "")


def at(place):
    return MARGIN_X + place[0] * CELL_WIDTH, MARGIN_Y + place[1] * CELL_HEIGHT


def on_edge(box, towards):
    """Where the line from a box's centre leaves the box."""
    (x, y), (to_x, to_y) = at(box), at(towards)
    dx, dy = to_x - x, to_y - y
    if dx == dy == 0:
        return x, y
    scale = min(BOX_WIDTH / 2 / abs(dx) if dx else 1e9, BOX_HEIGHT / 2 / abs(dy) if dy else 1e9)
    return x + dx * scale, y + dy * scale


def label(x, y, text, anchor="middle"):
    return f'<text class="label" x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(text)}</text>'


def loop(state, text):
    x, y = at(PLACES[state])
    x, top = x + BOX_WIDTH / 2 - 26, y - BOX_HEIGHT / 2  # clear of the arrows that come from straight above
    return [f'<path class="arrow" d="M{x - 12:.0f} {top:.0f}c-5 -22 29 -22 24 0"/>', label(x + 8, top - 19, text)]


def leave(box, bend):
    """A line that bends at right angles leaves its box straight, also where the bend is off-centre."""
    (x, y), (to_x, to_y) = at(box), at(bend)
    if abs(to_x - x) <= BOX_WIDTH / 2:
        return to_x, y + (BOX_HEIGHT / 2 if to_y > y else -BOX_HEIGHT / 2)
    if abs(to_y - y) <= BOX_HEIGHT / 2:
        return x + (BOX_WIDTH / 2 if to_x > x else -BOX_WIDTH / 2), to_y
    return on_edge(box, bend)


def arrow(source, to, text):
    bends = BENDS.get((source, to), [])
    if bends:
        points = [leave(PLACES[source], bends[0]), *map(at, bends), leave(PLACES[to], bends[-1])]
    else:
        points = [on_edge(PLACES[source], PLACES[to]), on_edge(PLACES[to], PLACES[source])]
    d = "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)
    (x, y), (next_x, next_y) = points[0], points[1]
    if bends and abs(next_x - x) + abs(next_y - y) < 45 and len(points) > 2:
        (x, y), (next_x, next_y) = points[1], points[2]
        next_x, next_y = x + max(-70, min(70, next_x - x)), y + max(-50, min(50, next_y - y))
    elif bends:
        next_x, next_y = x + max(-70, min(70, next_x - x)), y + max(-50, min(50, next_y - y))
    middle_x, middle_y = (x + next_x) / 2, (y + next_y) / 2
    if abs(next_x - x) > abs(next_y - y):
        where = label(middle_x, middle_y - 5, text)
    else:
        where = label(middle_x + 6, y + 0.35 * (next_y - y) + 4, text, "start")
    return [f'<path class="arrow" d="{d}"/>', where]


def box(state):
    x, y = at(PLACES[state])
    ends = " end" if state == "complete" else ""
    name = state.replace("extension", "ext") if len(state) > 15 else state
    return [f'<rect class="state{ends}" x="{x - BOX_WIDTH / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}" '
            f'width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="8"/>',
            f'<text class="name" x="{x:.0f}" y="{y + 4:.0f}" text-anchor="middle">{escape(name)}</text>']


STYLE = """
svg{font:12px system-ui,sans-serif;color-scheme:light dark;background:light-dark(#fff,#14181d)}
.state{fill:light-dark(#e8f1f8,#20303d);stroke:light-dark(#2f6690,#7fb4d9)}
.end{fill:light-dark(#dff0e3,#1e3a2a);stroke:light-dark(#2e7d4f,#79c79a)}
.name{fill:light-dark(#12202b,#e6eef5);font-weight:600}
.arrow{fill:none;stroke:light-dark(#5b6b78,#8fa1b0);marker-end:url(#head)}
.head{fill:light-dark(#5b6b78,#8fa1b0)}
.label{fill:light-dark(#8a3b12,#f0a878);font-size:11px;paint-order:stroke;stroke:light-dark(#fff,#14181d);stroke-width:3px}
.lane{fill:light-dark(#3d4a55,#b6c3ce);font-size:15px;font-weight:600}
.note{fill:light-dark(#3d4a55,#b6c3ce)}
"""


def merged(rows):
    """One arrow for all rows from one state to another."""
    arrows = {}
    for source, bytes_set, to, *_ in rows:
        arrows.setdefault((source, to), []).append(words(bytes_set))
    return arrows


def draw(rows, refusals):
    states = {state for row in rows for state in (row[0], row[2])}
    if states != set(PLACES):
        sys.exit(f"http_states.py: without a place, or gone: {sorted(states ^ set(PLACES))}")
    width = MARGIN_X * 2 + 9 * CELL_WIDTH + 12
    bottom = at((0, 16))[1]
    notes = [f"{words(on)} in {state}: {fault.split('::')[-1].replace('_', ' ')}" for state, on, fault in refusals]
    height = bottom + 40 + 18 * ((len(notes) + 2) // 3)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
             "<title>How weir reads HTTP/1: states and transitions</title>", f"<style>{STYLE}</style>",
             '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
             '<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>']
    for row, title in LANES:
        parts.append(f'<text class="lane" x="26" y="{at((0, row))[1]:.0f}">{escape(title)}</text>')
    for (source, to), texts in merged(rows).items():
        text = " or ".join(texts)
        parts += loop(source, text) if source == to else arrow(source, to, text)
    for state in PLACES:
        parts += box(state)
    parts.append(f'<text class="note" x="26" y="{bottom:.0f}">Every byte without an arrow is refused. '
                 "Some are refused with an answer of their own:</text>")
    for i, note in enumerate(notes):
        x, y = 26 + i % 3 * (width - 40) / 3, bottom + 22 + i // 3 * 18
        parts.append(f'<text class="note" x="{x:.0f}" y="{y:.0f}">{escape(note)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    picture = draw(*read_rows(HEADER.read_text()))
    if sys.argv[1:] == ["--check"]:
        if not PICTURE.exists() or PICTURE.read_text() != picture:
            sys.exit("docs/http-states.svg is not the picture of src/http/head/head_states.h: run tools/http_states.py")
    else:
        PICTURE.write_text(picture)


if __name__ == "__main__":
    main()
