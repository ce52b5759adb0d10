"""The contract between engine and core, drawn: what the engine tells, what it asks, and who owns what."""

from chart import COAST, arrow, call, connection, event, flow, handler, note, text

HEIGHT = 500

TELLS_AND_ASKS = (
    ("tell", "receive(bytes, now)"), ("ask", "step()"), ("ask", "deadline()"), ("ask", "take_request()"),
    ("tell", "respond(response, now)"), ("ask", "transmit()"), ("tell", "transmitted(n, now)"), ("tell", "expire(now)"),
)


def _box(x, width, name, lines):
    parts = [f'<rect x="{x}" y="126" width="{width}" height="356" class="process"/>',
             f'<rect x="{x}" y="126" width="{width}" height="26" class="tab"/>',
             f'<text x="{x + width / 2}" y="144" class="tabtext middle">{name}</text>']
    return parts + [text(x + width / 2, y, words, kind, "middle") for y, words, kind in lines]


def _exchange(y, kind, words):
    if kind == "tell":
        return text(238, y - 7, words, "call", "middle") + f'<path d="M142 {y} H326" class="hand"/>' + arrow(334, y, "right")
    return (text(238, y - 7, words, "call", "middle") + f'<path d="M334 {y} H150" class="back"/>' + arrow(142, y, "left"))


def contract():
    owns = [(176, "owns", "note"), (200, "descriptors", ""), (220, "memory", ""), (240, "threads", ""), (260, "waiting", ""),
            (280, "time", ""), (356, "the handler", "note"), (374, "runs here", "note")]
    has = [(176, "has", "note"), (200, "no system call", ""), (220, "no clock", ""), (240, "no thread", ""), (260, "no lock", ""),
           (300, "next step:", "note"), *[(322 + 21 * k, step, "name") for k, step in enumerate(
               ("receive", "handle", "wait", "transmit", "drain", "close"))]]
    ladder = [_exchange(186 + 39 * k, kind, words) for k, (kind, words) in enumerate(TELLS_AND_ASKS)]
    return [
        f'<rect width="480" height="{HEIGHT}" class="land"/><rect width="480" height="{COAST}" class="sea"/>',
        f'<path d="M0 {COAST} H480" class="coast"/>', connection(52), connection(108, ready=False),
        flow((52, 73), (52, COAST - 12)), call(76, "recv  send", 112), note(404, 98, "in the kernel"),
        note(404, 80, "no line of the core"),
        *_box(12, 128, "the engine", owns), *_box(336, 132, "the core", has), handler(76, 322), *ladder,
        f'<rect x=".75" y=".75" width="478.5" height="{HEIGHT - 1.5}" class="frame"/>',
    ]
