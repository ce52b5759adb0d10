"""The weir in cross-section, as an engineer of rivers draws it, and the marks made from it: wordmark and favicon."""

STYLE = """
  :root { --paper: #f7f3e7; --buff: #e9dcb8; --sea: #d3e6ed; --deep: #b4d3df; --ink: #16242b; --line: #1b5f7d; --soft: #4b5b62; --mark: #9b1b5a; }
  @media (prefers-color-scheme: dark) {
    :root { --paper: #0e1518; --buff: #2c2a1e; --sea: #11303c; --deep: #1a4757; --ink: #e8eae3; --line: #86c9e0; --soft: #a9b7bb; --mark: #f18dba; }
  }
  text { font-family: Charter, "Bitstream Charter", "Iowan Old Style", Palatino, "DejaVu Serif Condensed", Georgia, serif; font-style: italic;
         font-size: 19px; fill: var(--ink); }
  .sounding { fill: var(--line); font-size: 15px; } .small { font-size: 15px; fill: var(--soft); } .staff text, .number { font-style: normal; font-size: 13px; }
  .sea { fill: var(--sea); } .deep { fill: var(--deep); } .buff { fill: var(--buff); } .paper { fill: var(--paper); }
  .ink { fill: none; stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; } .hatch { stroke: var(--ink); stroke-width: 1; opacity: .5; }
  .surface { fill: none; stroke: var(--line); stroke-width: 3; stroke-linecap: round; }
  .flow { fill: none; stroke: var(--line); stroke-width: 1.6; stroke-dasharray: 26 14; opacity: .75; stroke-linecap: round; }
  .measure { stroke: var(--mark); stroke-width: 2; fill: none; } .mark { fill: var(--mark); } .leader { stroke: var(--ink); stroke-width: 1; fill: none; }
  @media (prefers-reduced-motion: no-preference) { .flow { animation: run 4.8s ease-out 1; } }
  @keyframes run { from { stroke-dashoffset: 480; } to { stroke-dashoffset: 0; } }
"""

DEFS = ('<defs><pattern id="h" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path d="M0 0 V9" class="hatch"/></pattern></defs>')

SURFACE = "M0 170 C300 166 560 172 760 172 C840 172 880 182 915 196"
NAPPE_TOP = "C985 222 1030 270 1052 338"
STREAMLINES = (
    "M0 196 C380 192 700 196 905 203 C980 226 1020 280 1040 340",
    "M0 232 C380 230 720 232 900 208 C972 230 1010 284 1028 346",
    "M0 276 C420 276 740 276 884 226", "M0 322 C420 324 740 326 872 262", "M0 364 C420 368 740 372 862 312",
    "M1080 360 C1180 344 1300 352 1440 350", "M1070 388 C1180 378 1300 384 1440 380",
)


def _water():
    return [
        f'<path d="{SURFACE} {NAPPE_TOP} L1010 352 C1000 300 970 250 905 212 L900 400 L0 400 Z" class="sea"/>',
        '<path d="M0 300 C300 296 620 300 880 290 L880 400 L0 400 Z" class="deep"/>',
        '<path d="M1000 352 C1030 330 1062 330 1090 340 C1150 358 1200 326 1262 334 C1330 342 1380 330 1440 334 L1440 420 L920 420 L916 352 Z" class="sea"/>',
        f'<path d="{SURFACE} {NAPPE_TOP}" class="surface"/>',
        '<path d="M1040 346 C1062 326 1078 336 1094 341 C1150 358 1200 326 1262 334 C1330 342 1380 330 1440 334" class="surface"/>',
        '<path d="M905 212 C970 250 1000 300 1010 350 L934 352" class="surface"/>',
        *[f'<path d="{line}" class="flow"/>' for line in STREAMLINES],
    ]


def _ground():
    outline = "M0 400 H862 L886 212 H908 L938 420 H1440 V470 H0 Z"
    return [f'<path d="{outline}" class="buff"/><path d="{outline}" fill="url(#h)"/>',
            '<path d="M0 400 H862 L886 212 H908 L938 420 H1440" class="ink"/>']


def _staff(x=770, top=116, bottom=400):
    marks = "".join(
        f'<rect x="{x - 11 + (11 if k % 2 else 0)}" y="{bottom - 12 - 12 * k}" width="11" height="12" fill="var(--ink)"/>'
        for k in range((bottom - top) // 12))
    return [f'<rect x="{x - 12}" y="{top}" width="24" height="{bottom - top}" class="paper"/>{marks}',
            f'<rect x="{x - 12}" y="{top}" width="24" height="{bottom - top}" class="ink"/>',
            f'<path d="M{x + 14} 172 h34 M{x + 14} 212 h34" class="measure"/><path d="M{x + 40} 172 V212" class="measure"/>',
            f'<path d="M{x + 13} 172 l13 -7 v14 Z" class="mark"/>', f'<text x="{x + 52}" y="198" style="fill:var(--mark)">H</text>']


def _label(x, y, words, kind="", anchor="start"):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{words}</text>'


def _soundings(places):
    return [_label(x, y, words, "sounding", "middle") for x, y, words in places]


WIDE = [
    _label(120, 142, "connections arrive"), *_soundings([(150, 222, "1"), (300, 258, "10"), (420, 308, "100"), (560, 258, "1 000"), (600, 388, "10 000")]),
    _label(740, 116, "the staff: one scale", anchor="end"), _label(740, 138, "for every architecture", anchor="end"),
    _label(960, 140, "the crest: one engine,"), _label(960, 162, "exchanged for another"), '<path d="M954 146 L900 206" class="leader"/>',
    _label(1190, 306, "answers leave"), _label(1150, 445, "Fig. 1. A weir across a stream, with its staff.", "small", "middle"),
]
NARROW = [
    _label(570, 148, "connections"), *_soundings([(610, 250, "100"), (600, 388, "10 000")]), _label(746, 112, "the staff", anchor="end"),
    _label(948, 142, "the crest:"), _label(948, 164, "one engine"), '<path d="M942 148 L900 206" class="leader"/>', _label(1064, 312, "answers"),
]


def section(narrow=False):
    box = "550 92 600 366" if narrow else "0 92 1440 366"
    parts = [DEFS, *_water(), *_ground(), *_staff(), *(NARROW if narrow else WIDE)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">\n<title>A weir in cross-section</title>\n'
            f"<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n")





def favicon():
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><title>weir</title>\n<style>.land{fill:#16242b}.sea{fill:#86c9e0}.edge{stroke:#fbf8ef}'
            "</style>\n"
            '<rect width="64" height="64" rx="12" class="land"/>\n<path d="M17 27 H47 L32 52 Z" class="sea"/>\n'
            '<path d="M10 15 L32 52 L54 15" fill="none" class="edge" stroke-width="6" stroke-linejoin="round" stroke-linecap="round"/>\n</svg>\n')
