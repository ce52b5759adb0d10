"""The visual language of weir's diagrams: a small set of shapes, after the hydrographic chart.

The kernel is the sea, user space is the land, and the system call is the coast between them. Every diagram is
composed of these shapes alone, so that two diagrams differ where the architectures differ and nowhere else.
"""

import math
from html import escape

WIDTH = 480
HEIGHT = 310
COAST = 108          # the height at which kernel ends and user space begins
SEA = 64             # the height at which connection sockets lie

STYLE = """
  :root { --paper: #fbf8ef; --sea: #d3e6ed; --ink: #16242b; --line: #1b5f7d; --soft: #4b5b62; --mark: #9b1b5a; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #14191b; --sea: #12313d; --ink: #e8eae3; --line: #86c9e0; --soft: #a9b7bb; --mark: #f18dba; }
  }
  text { font-family: Charter, "Bitstream Charter", "Iowan Old Style", Palatino, "DejaVu Serif Condensed", Georgia, serif;
         font-size: 14.5px; fill: var(--ink); }
  .note { font-style: italic; fill: var(--soft); }
  .call, .name { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
  .middle { text-anchor: middle; } .end { text-anchor: end; }
  .land { fill: var(--paper); } .sea { fill: var(--sea); }
  .frame, .coast, .process, .loop, .thread, .queue, .hand, .coroutine { fill: none; stroke: var(--ink); }
  .frame { stroke-width: 1.5; } .coast { stroke-width: 2.5; }
  .process { stroke-width: 1.5; } .tab { fill: var(--ink); } .tabtext { fill: var(--paper); font-size: 12px; }
  .thread, .loop { stroke-width: 2.5; stroke-linecap: round; }
  .coroutine { stroke-width: 2.5; stroke-linecap: round; stroke-dasharray: 1 6; }
  .library { fill: none; stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 7 5; }
  .head { fill: var(--ink); } .queue { stroke-width: 1.5; } .hand { stroke-width: 1.5; }
  .pill { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; }
  .flow { fill: none; stroke: var(--line); stroke-width: 2; stroke-dasharray: 6 4; }
  .idle { fill: none; stroke: var(--line); stroke-width: 2; opacity: .55; }
  .socket { fill: var(--paper); stroke: var(--line); stroke-width: 2.5; }
  .ready { fill: var(--line); stroke: var(--line); stroke-width: 2.5; }
  .set { fill: none; stroke: var(--line); stroke-width: 1.5; stroke-dasharray: 2 3; }
  .handler { fill: var(--mark); stroke: var(--paper); stroke-width: 2; }
  .event { fill: var(--paper); stroke: var(--mark); stroke-width: 2.5; }
  .figure { font-weight: bold; font-size: 16px; fill: var(--mark); stroke: var(--paper); stroke-width: 4; stroke-linejoin: round; paint-order: stroke; }
  .figure.sea { stroke: var(--sea); }
  .back { fill: none; stroke: var(--mark); stroke-width: 2; stroke-dasharray: 6 4; }
  svg:target .flow, svg:target .back { animation: run .7s linear infinite; }
  @keyframes run { to { stroke-dashoffset: -10; } }
  @media (prefers-reduced-motion: reduce) { svg:target .flow, svg:target .back { animation: none; } }
"""


def text(x, y, words, kind="", anchor=""):
    return f'<text x="{x}" y="{y}" class="{f"{kind} {anchor}".strip()}">{escape(words)}</text>'


def note(x, y, words, anchor="middle"):
    return text(x, y, words, "note", anchor)


def figures(**places):
    """Where the live page of --admin writes what happens now; empty everywhere else. A place is (x, y) or (x, y, anchor)."""
    return "".join(f'<text x="{x}" y="{y}" class="figure {anchor[0] if anchor else "middle"}{" sea" if y < COAST else ""}" data-of="{of}"/>'
                   for of, (x, y, *anchor) in places.items())


def socket(x, y=SEA, ready=False):
    return f'<circle cx="{x}" cy="{y}" r="8" class="{"ready" if ready else "socket"}"/>'


def listener(x, y=SEA):
    return f'<circle cx="{x}" cy="{y}" r="11" class="socket"/><circle cx="{x}" cy="{y}" r="4.5" class="ready"/>'


def flow(*points, kind="flow"):
    """A line along which bytes run; corners are rounded, as water has it."""
    (x, y), *rest = points
    path = f"M{x} {y}"
    for (ax, ay), (bx, by) in zip(rest, rest[1:]):
        path += f" L{_toward((ax, ay), (x, y))} Q{ax} {ay} {_toward((ax, ay), (bx, by))}"
        x, y = ax, ay
    return f'<path d="{path} L{rest[-1][0]} {rest[-1][1]}" class="{kind}"/>'


def _toward(corner, other, radius=10):
    (x, y), (ox, oy) = corner, other
    length = math.hypot(ox - x, oy - y)
    share = min(radius, length / 2) / length
    return f"{x + (ox - x) * share:.1f} {y + (oy - y) * share:.1f}"


def arrow(x, y, direction, kind="head"):
    """The point of an arrow at (x, y): direction is down, up, left or right."""
    turn = {"right": 0, "down": 90, "left": 180, "up": 270}[direction]
    return f'<path d="M0 0 L-9 -5 L-9 5 Z" transform="translate({x} {y}) rotate({turn})" class="{kind}"/>'


def hand(*points, direction):
    """A thing handed from one thread to another, inside the program."""
    return flow(*points, kind="hand") + arrow(*points[-1], direction)


def wire(x, ready=True, y=SEA):
    return f'<path d="M{x} 0 V{y - 9}" class="{"flow" if ready else "idle"}"/>'


def connection(x, ready=True):
    return wire(x, ready) + socket(x, ready=ready)


def call(x, words, width=None, y=COAST):
    """A system call: a pill on the coast. Whoever stands under it waits in it."""
    width = width or 8.2 * len(words) + 18
    return (f'<rect x="{x - width / 2:.1f}" y="{y - 12}" width="{width:.1f}" height="24" rx="12" class="pill"/>'
            + text(x, y + 4.5, words, "call", "middle"))


def thread(x, top=128, bottom=268, kind="thread"):
    """A thread: a wavy line. A dashed one is a coroutine, which is only resumed."""
    count = max(2, round((bottom - top) / 20))
    step = (bottom - top) / count
    path = f"M{x} {top} q-7 {step / 2:.2f} 0 {step:.2f}" + f" t0 {step:.2f}" * (count - 1)
    return f'<path d="{path}" class="{kind}"/><circle cx="{x}" cy="{bottom}" r="3.5" class="head"/>'


def coroutine(x, top=128, bottom=268):
    return thread(x, top, bottom, "coroutine")


def handler(x, y):
    return f'<path d="M{x + 14} {y} l-7 12.1 h-14 l-7 -12.1 l7 -12.1 h14 Z" class="handler"/>'


def loop(x, y, radius=26):
    """An event loop: a thread that has bitten its tail."""
    end = (x + radius * math.cos(math.radians(-60)), y + radius * math.sin(math.radians(-60)))
    start = (x + radius * math.cos(math.radians(-25)), y + radius * math.sin(math.radians(-25)))
    return (f'<path d="M{start[0]:.1f} {start[1]:.1f} A{radius} {radius} 0 1 1 {end[0]:.1f} {end[1]:.1f}" class="loop"/>'
            f'<path d="M5 0 L-7 -6.5 L-7 6.5 Z" transform="translate({end[0]:.1f} {end[1]:.1f}) rotate(32)" class="head"/>')


def process(x, y, width, height, words="process"):
    tab = 7 * len(words) + 14
    return (f'<rect x="{x}" y="{y}" width="{width}" height="{height}" class="process"/>'
            f'<rect x="{x}" y="{y + height - 18}" width="{tab}" height="18" class="tab"/>'
            + text(x + 7, y + height - 5, words, "tabtext"))


def queue(x, y, cells=5, filled=3, cell=18):
    """A bounded queue: so many places and no more."""
    parts = [f'<path d="M{x} {y} H{x + cells * cell} M{x} {y + 24} H{x + cells * cell}" class="queue"/>']
    parts += [f'<path d="M{x + k * cell} {y} v24" class="queue"/>' for k in range(cells + 1)]
    parts += [f'<circle cx="{x + (cells - k - .5) * cell}" cy="{y + 12}" r="5" class="ready"/>' for k in range(filled)]
    return "".join(parts)


def interest(x, width, words="epoll", y=30, height=56):
    """The set of descriptors that the kernel watches for this loop."""
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="14" class="set"/>' + text(
        x + width - 8, y + height - 6, words, "call", "end")


def event(x, y):
    return f'<path d="M{x} {y - 10} l10 10 l-10 10 l-10 -10 Z" class="event"/>'


def ground():
    return (f'<rect width="{WIDTH}" height="{HEIGHT}" class="land"/><rect width="{WIDTH}" height="{COAST}" class="sea"/>'
            f'<path d="M0 {COAST} H{WIDTH}" class="coast"/>')


def drawing(title, parts, words="", width=WIDTH, height=HEIGHT, base=True):
    """`words` say what it shows, for readers who can't see it."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" id="run">\n'
            f"<title>{escape(title)}</title>\n" + (f"<desc>{escape(words)}</desc>\n" if words else "") + f"<style>{STYLE}</style>\n"
            + (ground() + "\n" if base else "") + "\n".join(parts)
            + (f'\n<rect x=".75" y=".75" width="{width - 1.5}" height="{height - 1.5}" class="frame"/>' if base else "") + "\n</svg>\n")
