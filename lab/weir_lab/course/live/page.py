"""The page of the lecture: two live pages side by side, with the stage of the load above them. The lab serves it, to
this machine alone."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Mapping
from html import escape

DOCUMENT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Two engines side by side</title>
<link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }}
body {{ background: Canvas; color: CanvasText; display: flex; flex-direction: column; margin: 0; min-height: 100vh; }}
header {{ padding: .75rem 1rem; }}
h1 {{ font-size: 1.25rem; margin: 0; }}
p {{ margin: 0; max-width: 75rem; min-height: 3em; }}
main {{ display: grid; flex: 1; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); }}
iframe {{ border: 0; box-sizing: border-box; border-top: 1px solid; height: 100%; min-height: 44rem; width: 100%; }}
iframe + iframe {{ border-left: 1px solid; }}
</style>
<header><div role="status"><h1 id="title">{title}</h1><p id="about"></p></div></header>
<main>{frames}</main>
<script src="/page.js"></script>
</html>
"""
# The live page asks its own address, which is another origin than this page.
FRAME = '<iframe src="{url}" title="{engine}" sandbox="allow-scripts allow-same-origin"></iframe>'
SCRIPT = """"use strict";
const look = async () => {
  const said = { title: "The lecture has ended.", about: "The figures stand still." };
  try {
    Object.assign(said, await (await fetch("/stage", { cache: "no-store" })).json());
  } catch {}
  for (const id of ["title", "about"]) {
    const place = document.getElementById(id);
    if (place.textContent !== said[id]) place.textContent = said[id];
  }
  setTimeout(look, 1000);
};
look();
"""


class CannotShow(Exception):
    """Says why there is no page."""


class Page:
    """Serves on entering, and ends on leaving. Raises CannotShow. `frames`: the live page of each engine."""

    def __init__(self, frames: Mapping[str, str], port: int = 0) -> None:
        self._said = {"title": "", "about": ""}
        frames_in_html = "".join(FRAME.format(url=escape(url), engine=escape(name)) for name, url in frames.items())
        document = DOCUMENT.format(title="Two engines side by side", frames=frames_in_html)
        policy = (
            "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src data:; "
            f"base-uri 'none'; frame-ancestors 'none'; frame-src {' '.join(frames.values())}"
        )
        self._answers: dict[str, tuple[str, Callable[[], str]]] = {
            "/": ("text/html; charset=utf-8", lambda: document),
            "/page.js": ("text/javascript; charset=utf-8", lambda: SCRIPT),
            "/stage": ("application/json", lambda: json.dumps(self._said)),
        }
        page = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                media_type, content = page._answers.get(self.path, ("", lambda: ""))
                if not media_type:
                    self.send_error(404)
                    return
                body = content().encode()
                self.send_response(200)
                for name, value in (
                    ("Content-Type", media_type),
                    ("Content-Length", str(len(body))),
                    ("Cache-Control", "no-store"),
                    ("Content-Security-Policy", policy),
                ):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        try:
            self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        except OSError as error:
            raise CannotShow(f"the page can't have port {port}: {error.strerror}") from None
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    def __enter__(self) -> Page:
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def say(self, title: str, about: str) -> None:
        self._said = {"title": title, "about": about}
