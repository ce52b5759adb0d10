#!/usr/bin/env python3
"""Draws docs/http-states.svg from the rows in src/http/head/head_states.h, and docs/http1-connection.svg from those in
src/http/http1/http1_states.h.

    http_states.py            writes the pictures
    http_states.py --check    exits 1 where a picture is not that of its rows

The rows say which arrows there are; only where things stand is laid by hand, here and in http_states_layout.py.
"""

import re
import sys
from html import escape
from pathlib import Path

from http_states_layout import CONNECTION, HEAD, HEAD_LANES

ROOT = Path(__file__).resolve().parent.parent
HEAD_HEADER = ROOT / "src/http/head/head_states.h"
HEAD_PICTURE = ROOT / "docs/http-states.svg"
CONNECTION_HEADER = ROOT / "src/http/http1/http1_states.h"
CONNECTION_PICTURE = ROOT / "docs/http1-connection.svg"

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


def at(layout, place):
    return layout.margin[0] + place[0] * layout.cell[0], layout.margin[1] + place[1] * layout.cell[1]


def on_edge(layout, box, towards):
    """Where the line from a box's centre leaves the box."""
    (x, y), (to_x, to_y) = at(layout, box), at(layout, towards)
    dx, dy = to_x - x, to_y - y
    if dx == dy == 0:
        return x, y
    scale = min(layout.box[0] / 2 / abs(dx) if dx else 1e9, layout.box[1] / 2 / abs(dy) if dy else 1e9)
    return x + dx * scale, y + dy * scale


def label(x, y, text, anchor="middle"):
    return f'<text class="label" x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(text)}</text>'


def loop(layout, state, text):
    x, y = at(layout, layout.places[state])
    x, top = x + layout.box[0] / 2 - 26, y - layout.box[1] / 2  # clear of the arrows that come from straight above
    return [f'<path class="arrow" d="M{x - 12:.0f} {top:.0f}c-5 -22 29 -22 24 0"/>', label(x + 8, top - 19, text)]


def leave(layout, box, bend):
    """A line that bends at right angles leaves its box straight, also where the bend is off-centre."""
    (x, y), (to_x, to_y) = at(layout, box), at(layout, bend)
    if abs(to_x - x) <= layout.box[0] / 2:
        return to_x, y + (layout.box[1] / 2 if to_y > y else -layout.box[1] / 2)
    if abs(to_y - y) <= layout.box[1] / 2:
        return x + (layout.box[0] / 2 if to_x > x else -layout.box[0] / 2), to_y
    return on_edge(layout, box, bend)


def arrow(layout, source, to, text):
    bends = layout.bends.get((source, to), [])
    if bends:
        points = [leave(layout, layout.places[source], bends[0]), *(at(layout, bend) for bend in bends),
                  leave(layout, layout.places[to], bends[-1])]
    else:
        points = [on_edge(layout, layout.places[source], layout.places[to]),
                  on_edge(layout, layout.places[to], layout.places[source])]
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


def box(layout, state):
    x, y = at(layout, layout.places[state])
    ends = " end" if state == "complete" else ""
    name = state.replace("extension", "ext") if len(state) > 15 else state
    return [f'<rect class="state{ends}" x="{x - layout.box[0] / 2:.0f}" y="{y - layout.box[1] / 2:.0f}" '
            f'width="{layout.box[0]}" height="{layout.box[1]}" rx="8"/>',
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


def picture(width, height, title):
    """How each of them begins."""
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{title}</title>", f"<style>{STYLE}</style>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path class="head" d="M0 0L8 4L0 8z"/></marker></defs>']


def draw_head(rows, refusals):
    layout = HEAD
    states = {state for row in rows for state in (row[0], row[2])}
    if states != set(layout.places):
        sys.exit(f"http_states.py: without a place, or gone: {sorted(states ^ set(layout.places))}")
    width = layout.margin[0] * 2 + 9 * layout.cell[0] + 12
    bottom = at(layout, (0, 16))[1]
    notes = [f"{words(on)} in {state}: {fault.split('::')[-1].replace('_', ' ')}" for state, on, fault in refusals]
    height = bottom + 40 + 18 * ((len(notes) + 2) // 3)

    parts = picture(width, height, "How weir reads HTTP/1: states and transitions")
    for row, title in HEAD_LANES:
        parts.append(f'<text class="lane" x="26" y="{at(layout, (0, row))[1]:.0f}">{escape(title)}</text>')
    for (source, to), texts in merged(rows).items():
        text = " or ".join(texts)
        parts += loop(layout, source, text) if source == to else arrow(layout, source, to, text)
    for state in layout.places:
        parts += box(layout, state)
    parts.append(f'<text class="note" x="26" y="{bottom:.0f}">Every byte without an arrow is refused. '
                 "Some are refused with an answer of their own:</text>")
    for i, note in enumerate(notes):
        x, y = 26 + i % 3 * (width - 40) / 3, bottom + 22 + i // 3 * 18
        parts.append(f'<text class="note" x="{x:.0f}" y="{y:.0f}">{escape(note)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def read_connection_rows(text):
    """[(phase, event, next phase, step, timer)]"""
    body = text[text.index("to_array<Row>({"):]
    return re.findall(r"\{P::(\w+),\s*E::(\w+),\s*P::(\w+),\s*(?:S::)?(\w+),\s*(?:T::)?(\w+)\}", body[:body.index("});")])


def phase_box(layout, phase, own):
    """A phase, and in it what happens without leaving it: the event, the step and the timer."""
    x, y = at(layout, layout.places[phase])
    top = y - layout.box[1] / 2
    parts = [f'<rect class="state{" end" if phase == "closed" else ""}" x="{x - layout.box[0] / 2:.0f}" y="{top:.0f}" '
             f'width="{layout.box[0]}" height="{layout.box[1]}" rx="8"/>',
             f'<text class="name" x="{x:.0f}" y="{top + 17:.0f}" text-anchor="middle">{phase}</text>']
    for i, (event, step, timer) in enumerate(own):
        parts.append(f'<text class="note" x="{x:.0f}" y="{top + 33 + 15 * i:.0f}" text-anchor="middle">'
                     f"{event}: {step}, {timer}</text>")
    return parts


def draw_connection(rows):
    layout = CONNECTION
    phases = {phase for row in rows for phase in (row[0], row[2])}
    if phases != set(layout.places):
        sys.exit(f"http_states.py: without a place, or gone: {sorted(phases ^ set(layout.places))}")
    # These two come from nearly everywhere: one arrow each, and a line of text, keep the picture readable.
    everywhere = {"answered_last": "handling", "closes": "draining"}
    leaving = [row for row in rows if row[0] != row[2]]
    notes = [f"{event} comes in {', '.join(row[0] for row in rows if row[1] == event)}." for event in everywhere]
    changes = {f"{event}: {step}, {timer}" for _, event, _, step, timer in leaving if (step, timer) != ("unchanged", "unchanged")}
    notes.append("What leaves a phase sets a step and a timer, too: " + "; ".join(sorted(changes)[:4]) + ";")
    notes.append("; ".join(sorted(changes)[4:]) + ".")
    width = layout.margin[0] * 2 + 6 * layout.cell[0]
    bottom = at(layout, (0, 3))[1] + 80
    parts = picture(width, bottom + 20 * len(notes), "The phases of an HTTP/1 connection")
    arrows = {}
    for source, event, to, *_ in leaving:
        if everywhere.get(event, source) == source:
            arrows.setdefault((source, to), []).append(event)
    for (source, to), events in arrows.items():
        parts += arrow(layout, source, to, " or ".join(events))
    for phase in layout.places:
        parts += phase_box(layout, phase, [(event, step, timer) for source, event, to, step, timer in rows
                                           if source == to == phase])
    for i, note in enumerate(notes):
        parts.append(f'<text class="note" x="26" y="{bottom + 20 * i:.0f}">{note}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    pictures = {HEAD_PICTURE: draw_head(*read_rows(HEAD_HEADER.read_text())),
                CONNECTION_PICTURE: draw_connection(read_connection_rows(CONNECTION_HEADER.read_text()))}
    for path, drawn in pictures.items():
        if sys.argv[1:] != ["--check"]:
            path.write_text(drawn)
        elif not path.exists() or path.read_text() != drawn:
            sys.exit(f"docs/{path.name} is not the picture of its rows: run tools/http_states.py")


if __name__ == "__main__":
    main()
