#!/usr/bin/env python3
"""Takes the README's pictures of the demonstration site, docs/images/demo.png and demo-dark.png, 1280 by 800.

    WEIR_BINARY=build/release/weir python3 tests/end_to_end/screenshot.py [URL]

Without a URL it serves the site with weir itself.
"""

import sys

from browser import Browser
from served import SITE, SOURCE, Server

PICTURES = {"demo.png": "light", "demo-dark.png": "dark"}


def take(url):
    with Browser() as browser:
        for name, scheme in PICTURES.items():
            browser.look(1280, 800, scheme, reduced_motion=True)
            browser.open(url)
            (SOURCE / "docs" / "images" / name).write_bytes(browser.screenshot())


def main(url=None):
    if url:
        return take(url)
    server = Server("serve", SITE, "--port", "0")
    try:
        take(server.wait_for_banner().url)
    finally:
        server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
