"""Two files side by side as diff(1) has them, as HTML."""

import subprocess
from html import escape
from pathlib import Path

from weir_lab.core.built import REPOSITORY

STYLE = (
    ".diff{overflow-x:auto;white-space:pre;overflow-wrap:normal}.diff span{display:block;min-height:1.6em}"
    ".diff .gone{background:light-dark(#f6d9d5,#4a1f1c)}.diff .come{background:light-dark(#d8ecd2,#1d3a1f)}"
    ".diff .place{color:var(--soft)}"
)


def html(a: Path, b: Path) -> str:
    names = [str(path.relative_to(REPOSITORY)) for path in (a, b)]
    done = subprocess.run(["diff", "-u", *names], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()[2:]  # without the names and times of the files
    gone, come = (sum(line.startswith(sign) for line in lines) for sign in "-+")
    marked = "".join(f'<span class="{_kind(line)}">{escape(line)}</span>' for line in lines)
    return (
        f"<p><code>diff {escape(' '.join(names))}</code>: {gone} lines go, {come} lines come.</p>"
        f'<pre class="diff" tabindex="0">{marked}</pre>'
    )


def _kind(line: str) -> str:
    return {"-": "gone", "+": "come", "@": "place"}.get(line[:1], "")
