"""Where things stand in the pictures of http_states.py."""

from typing import NamedTuple


class Layout(NamedTuple):
    places: dict[str, tuple[float, float]]  # column and row of each state
    bends: dict[tuple[str, str], list[tuple[float, float]]]
    cell: tuple[int, int]
    box: tuple[int, int]
    margin: tuple[int, int]


# Column and row of each state.
HEAD_PLACES = {
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
HEAD_BENDS = {
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

HEAD_LANES = [
    (-0.62, "Request line (RFC 9112 3)"),
    (6.05, "Field lines of a head, and of a trailer section (RFC 9112 5)"),
    (9.1, "Chunked coding (RFC 9112 7.1)"),
]

HEAD = Layout(HEAD_PLACES, HEAD_BENDS, cell=(152, 84), box=(122, 32), margin=(112, 92))

CONNECTION = Layout(
    places={
        "idle": (0, 0), "head": (2, 0), "ready": (4, 0), "handling": (4, 1), "content": (2, 1), "paused": (2, 2),
        "sending": (0, 1), "stalled": (0, 2), "closing": (4, 2), "draining": (4, 3), "closed": (2, 3),
        "tunnel": (6, 1), "tunnel_paused": (6, 2),
    },
    bends={
        ("idle", "ready"): [(0, -0.55), (4, -0.55)],
        ("handling", "idle"): [(3.75, 0.6), (0.25, 0.6)],
        ("content", "ready"): [(2.25, 0.42), (3.75, 0.42)],
        ("handling", "sending"): [(3.75, 1.5), (0.25, 1.5)],
        ("paused", "ready"): [(3.05, 2), (3.05, 0.12)],
        ("paused", "content"): [(1.75, 1.5)],
        ("stalled", "sending"): [(-0.3, 1.5)],
        ("tunnel_paused", "tunnel"): [(6.3, 1.5)],
    },
    cell=(190, 150), box=(190, 86), margin=(130, 130))
