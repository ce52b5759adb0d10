"""One drawing per architecture: what waits, where handlers run, and what stands between them. The function of an engine
has its name."""

import tomllib
from pathlib import Path

from chart import (COAST, SEA, arrow, call, connection, coroutine, event, figures, flow, hand, handler, interest, listener, loop,
                   note, process, queue, socket, text, thread, wire)


def blocking():
    return [
        wire(70), listener(70), connection(170),
        flow((170, SEA + 9), (170, COAST - 12)),
        *[wire(x, ready=False) + socket(x) for x in (290, 340, 390)], note(340, 97, "waiting in the backlog"),
        process(20, 126, 440, 168), thread(170), handler(170, 200), call(170, "poll recv"), call(70, "accept"),
        hand((70, 122), (70, 150), (156, 150), direction="right"),
        note(200, 205, "one connection at a time,", "start"), note(200, 225, "from first to last byte", "start"),
        figures(waiting=(340, 34), open=(170, 30), active=(152, 206, "end"))]


def fork_per_connection():
    children = [part for x in (200, 300, 400) for part in (
        connection(x), flow((x, SEA + 9), (x, COAST - 12)), process(x - 42, 140, 84, 154), thread(x, 128, 262),
        handler(x, 200), call(x, "poll recv"))]
    return [wire(70), listener(70), *children, process(20, 140, 110, 154, "parent"), thread(70, 128, 262), call(70, "accept"),
            hand((84, 196), (154, 196), direction="right"), text(106, 188, "fork", "call", "middle"),
            figures(waiting=(70, 26), open=(300, 26), active=(350, 240), processes=(250, 160))]


def thread_per_connection():
    workers = [part for x in (200, 300, 400) for part in (
        connection(x), flow((x, SEA + 9), (x, COAST - 12)), thread(x, 128, 262), handler(x, 200), call(x, "poll recv"))]
    return [wire(70), listener(70), process(20, 126, 440, 168), *workers, thread(70, 128, 262), call(70, "accept"),
            hand((84, 168), (184, 168), direction="right"), note(134, 160, "spawn"),
            figures(waiting=(70, 26), open=(300, 26), active=(300, 240))]


def select_threads():
    ready = (180, 320)
    lines = [part for x in (180, 250, 320, 390) for part in (
        connection(x, ready=x in ready), flow((x, SEA + 9), (x, COAST - 12), kind="flow" if x in ready else "idle"))]
    workers = [part for x in ready for part in (hand((x, 120), (x, 162), direction="down"), thread(x, 166, 276),
                                                 handler(x, 214))]
    return [wire(70), listener(70), flow((70, SEA + 11), (70, COAST - 12)), *lines, process(20, 126, 440, 168), *workers,
            thread(70, 122, 262), call(230, "select", 390), note(250, 250, "one for each"), note(250, 268, "ready socket"),
            figures(waiting=(70, 26), open=(320, 26), delay=(84, 256, "start"), active=(340, 219, "start"))]


def thread_pool():
    workers = [part for x in (300, 360, 420) for part in (
        connection(x), flow((x, SEA + 9), (x, COAST - 12)), thread(x, 124, 262), handler(x, 186), call(x, "poll", 52))]
    return [wire(70), listener(70), *[connection(x, ready=False) for x in (150, 195, 240)], process(20, 126, 440, 168),
            *workers, thread(70, 128, 262), call(70, "accept"), queue(126, 216, 6, 4), hand((84, 228), (122, 228), direction="right"),
            hand((238, 228), (284, 228), direction="right"), note(180, 262, "bounded queue"), note(360, 286, "N workers"),
            figures(waiting=(70, 26), open=(300, 26), queue=(180, 206), busy=(360, 162), active=(360, 240))]


def _one_loop(call_name, extra, ready=(250,)):
    lines = [part for x in (130, 190, 250, 310) for part in (
        connection(x, ready=x in ready), flow((x, SEA + 9), (x, COAST - 12), kind="flow" if x in ready else "idle"))]
    return [wire(60), listener(60), flow((60, SEA + 11), (60, COAST - 12), kind="idle"), *lines, process(20, 126, 440, 168), *extra,
            call(185, call_name, 310)]


def select():
    bits = "0010100000000"
    row = [f'<rect x="{40 + k * 16}" y="146" width="16" height="22" class="queue"/>' + text(48 + k * 16, 162, bit, "call", "middle")
           for k, bit in enumerate(bits)]
    return _one_loop("select", row + [
        text(256, 162, "…", "call"), note(282, 162, "1,024 bits,", "start"), note(282, 180, "copied on every call", "start"),
        loop(130, 218), hand((160, 218), (226, 218), direction="right"), handler(244, 218), note(268, 223, "inline", "start"),
        figures(waiting=(60, 26), open=(230, 26), delay=(130, 264), active=(244, 256))])


def poll():
    rows = [f'<rect x="{40 + k * 44}" y="146" width="44" height="24" class="queue"/>' + text(62 + k * 44, 162, f"fd {fd}", "call", "middle")
            for k, fd in enumerate((3, 5, 6, 7, 9))]
    return _one_loop("poll", rows + [
        text(266, 162, "…", "call"), note(290, 162, "an array of any", "start"), note(290, 180, "length, all of it walked", "start"),
        loop(130, 218), hand((160, 218), (226, 218), direction="right"), handler(244, 218), note(268, 223, "inline", "start"),
        figures(waiting=(60, 26), open=(230, 26), delay=(130, 264), active=(244, 256))])


def _epoll(extra):
    lines = [connection(x, ready=x in (210, 320)) for x in (155, 210, 265, 320)]
    return [wire(75), listener(75), *lines, interest(50, 345), flow((220, 86), (220, COAST - 12)), process(20, 126, 440, 168),
            *extra, call(220, "epoll_wait")]


def _loop_and_handler():
    return [flow((220, 120), (220, 158)), loop(220, 188), hand((250, 188), (316, 188), direction="right"), handler(334, 188)]


def epoll_blocking():
    return _epoll([*_loop_and_handler(), flow((320, 174), (320, 84)), arrow(320, 75, "up"), call(334, "poll send"),
                   note(346, 148, "one slow reader:", "start"), note(358, 184, "the whole loop", "start"), note(358, 202, "waits for it", "start"),
                   note(220, 248, "readiness, but blocking sockets"),
                   figures(waiting=(75, 22), open=(240, 22), loops=(134, 178), delay=(134, 200), active=(334, 226))])


def epoll_level():
    return _epoll([*_loop_and_handler(), note(360, 193, "inline", "start"),
                   flow((194, 188), (120, 188), (120, 96), kind="back"), arrow(120, 89, "up"),
                   note(110, 150, "still ready:", "end"), note(110, 168, "listed again", "end"),
                   note(220, 248, "reads a part, returns for the rest"),
                   figures(waiting=(75, 22), open=(240, 22), delay=(150, 226), active=(350, 222))])


def epoll_edge():
    return _epoll([*_loop_and_handler(), note(360, 193, "inline", "start"),
                   note(220, 248, "each change is reported once:"), note(220, 267, "read to the end, or take turns"),
                   figures(waiting=(75, 22), open=(240, 22), delay=(134, 194), active=(350, 222))])


def coroutines():
    lines = [connection(x, ready=x == 180) for x in (180, 250, 320, 390)]
    bodies = [coroutine(x, 170, 268) for x in (250, 320, 390)]
    return [wire(60), listener(60), *lines, interest(35, 425), flow((80, 86), (80, COAST - 12)), process(20, 126, 440, 168), loop(80, 190),
            call(80, "epoll_wait"), hand((110, 186), (166, 186), direction="right"), note(138, 178, "resume"), *bodies,
            thread(180, 170, 268), handler(180, 222), note(320, 156, "suspended"), note(180, 156, "running"),
            figures(waiting=(60, 22), open=(320, 22), delay=(80, 240), active=(180, 288))]


def reactor():
    lines = [connection(x, ready=x in (110,)) for x in (60, 110, 160)]
    workers = [part for x in (330, 380, 430) for part in (thread(x, 146, 264), handler(x, 196))]
    return [*lines, interest(30, 215, ""), text(168, 82, "epoll", "call"), event(215, SEA), flow((110, 86), (110, COAST - 12)), process(20, 126, 440, 168), loop(110, 186),
            call(110, "epoll_wait"), hand((140, 186), (184, 186), direction="right"), queue(188, 174, 5, 3), hand((282, 186), (314, 186), direction="right"),
            *workers, flow((330, 264), (330, 282), (300, 282), (300, 96), (300, SEA), (230, SEA), kind="back"), arrow(226, SEA, "left"),
            text(256, 56, "eventfd", "call", "start"), note(232, 222, "requests"), note(378, 286, "bounded pool"),
            figures(waiting=(64, 22), open=(196, 22), delay=(110, 236), queue=(232, 166), busy=(378, 146), active=(378, 240))]


def epoll_workers():
    loops = [part for x in (210, 310, 410) for part in (
        connection(x - 18), connection(x + 18, ready=False), interest(x - 42, 84, ""), flow((x, 86), (x, COAST - 12)), loop(x, 186, 24),
        call(x, "epoll_wait", 90), handler(x, 240), hand((x, 212), (x, 225), direction="down"))]
    return [wire(70), listener(70), process(20, 126, 440, 168), *loops, thread(70, 128, 262), call(70, "accept"),
            hand((84, 148), (376, 148), direction="right"), arrow(176, 148, "right"), arrow(276, 148, "right"), note(118, 168, "distributes"),
            figures(waiting=(70, 22), open=(310, 22), loops=(130, 202), delay=(130, 224), active=(310, 276))]


def _column(x):
    return [wire(x - 38), listener(x - 38), connection(x), connection(x + 34, ready=False), interest(x - 60, 116, ""),
            flow((x, 86), (x, COAST - 12)), loop(x, 178, 24), call(x, "epoll_wait"), hand((x, 204), (x, 219), direction="down"), handler(x, 234)]


def per_core():
    columns = [part for k, x in enumerate((90, 240, 390)) for part in (
        *_column(x), note(x, 266, f"core {k}"))]
    fences = [f'<path d="M{x} 132 V270" class="library"/>' for x in (165, 315)]
    return [process(20, 126, 440, 168), *columns, *fences, note(278, 287, "one port, many listeners:", "end"), text(286, 287, "SO_REUSEPORT", "call"),
            figures(waiting=(90, 22), open=(240, 22), loops=(240, 144), delay=(390, 144), active=(315, 256))]


def prefork():
    columns = [part for x in (205, 310, 415) for part in (
        wire(x - 22), listener(x - 22), connection(x + 14), interest(x - 42, 84, ""), flow((x, 86), (x, COAST - 12)), process(x - 46, 132, 92, 162, "worker"),
        loop(x, 172, 22), call(x, "epoll_wait", 92), hand((x, 196), (x, 211), direction="down"), handler(x, 226))]
    return [*columns, process(20, 132, 118, 162, "supervisor"), thread(70, 142, 264), call(70, "poll"),
            hand((84, 250), (156, 250), direction="right"), note(110, 243, "forks"),
            figures(waiting=(205, 22), open=(350, 22), processes=(79, 200), delay=(415, 262), active=(205, 262))]


def io_uring():
    def ring(x, words):
        return (f'<circle cx="{x}" cy="{COAST}" r="37" class="pill"/><circle cx="{x}" cy="{COAST}" r="25" class="loop"/>'
                + text(x, COAST + 5, words, "call", "middle"))
    lines = [connection(x, ready=x in (230, 290)) for x in (170, 230, 290)]
    return [wire(70), listener(70), *lines, flow((290, SEA + 9), (290, SEA + 20), (352, SEA + 20)), process(20, 126, 440, 168),
            ring(120, "SQ"), ring(385, "CQ"), loop(250, 196), hand((385, 148), (385, 196), (282, 196), direction="left"),
            hand((220, 196), (120, 196), (120, 151), direction="up"), note(66, 186, "asks", "middle"), note(428, 186, "done", "middle"),
            hand((250, 226), (250, 242), direction="down"), handler(250, 258), queue(350, 30, 4, 2), note(386, 23, "provided buffers"),
            note(250, 158, "bytes have already arrived"), note(280, 263, "inline", "start"),
            figures(waiting=(70, 22), open=(230, 22), loops=(72, 216), delay=(72, 238), active=(232, 263, "end"))]


def asio():
    lines = [connection(x, ready=x == 210) for x in (150, 210, 270, 330)]
    sessions = [part for x in (150, 210, 270, 330) for part in (
        f'<rect x="{x - 22}" y="206" width="44" height="22" class="pill"/>', text(x, 221, "8 KB", "call", "middle"))]
    return [wire(75), listener(75), *lines, flow((210, SEA + 9), (210, 204)), process(20, 126, 440, 168),
            '<rect x="70" y="136" width="300" height="54" class="library"/>', loop(100, 163, 20), call(210, "epoll_wait"),
            text(290, 158, "io_context", "call", "middle"), text(290, 178, "async_read_some", "call", "middle"), *sessions,
            note(240, 249, "a session for each connection, with its own buffer"),
            hand((356, 217), (392, 217), direction="right"), handler(410, 217), note(410, 200, "inline"),
            note(240, 274, "one io_context for each thread"),
            figures(waiting=(75, 22), open=(240, 22), loops=(474, 150, "end"), delay=(474, 170, "end"), active=(474, 276, "end"))]


ROWS = Path(__file__).resolve().parents[3] / "src/engines/engines.toml"
ENGINES = {name: (globals()[name.replace("-", "_")], row["drawing"])
           for name, row in tomllib.loads(ROWS.read_text(encoding="utf-8"))["engine"].items()}
