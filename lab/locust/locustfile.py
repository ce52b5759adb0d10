"""Users who browse the demonstration site: pages with all that belongs to them, asked for again as browsers do, and a
part of a picture now and then.

    locust -f lab/locust/locustfile.py --host http://127.0.0.1:8000

and the page to start them on is http://127.0.0.1:8089. docs/scale.md has the rest: without the page, on several cores,
from several machines."""

from __future__ import annotations

import random
import re

import kept_connections  # noqa: F401  (it mends Locust's pool; Locust looks for it beside this file)

from locust import FastHttpUser, between, task

PAGES = ("/", "/architectures.html")
PICTURE = "/images/water.bmp"
PART_BYTES = 1024
# What a browser fetches by itself: style sheets, scripts, icons, pictures; not what links lead to.
PARTS_OF_A_PAGE = re.compile(r'<(?:link|script|img|source)\b[^>]*?\b(?:href|src|srcset)="([^":#]+\.[a-z]+)"')


class Visitor(FastHttpUser):
    wait_time = between(1, 3)  # seconds that a person looks at a page

    def on_start(self) -> None:
        self.tags: dict[str, str] = {}  # the entity tag of each thing that is in this browser's cache
        self.parts: dict[str, list[str]] = {}  # of each page

    @task(8)
    def read_a_page(self) -> None:
        page = random.choice(PAGES)
        text = self.fetch(page)
        if text:
            self.parts[page] = list(dict.fromkeys(PARTS_OF_A_PAGE.findall(text)))
        for part in self.parts.get(page, []):
            self.fetch("/" + part.lstrip("/"))

    @task(1)
    def look_at_a_part(self) -> None:
        """As whoever goes on with a download."""
        first = random.randrange(0, 64) * PART_BYTES
        wanted = {"Range": f"bytes={first}-{first + PART_BYTES - 1}"}
        with self.client.get(PICTURE, headers=wanted, name=f"{PICTURE} (a part)", catch_response=True) as answer:
            if answer.status_code != 206 or len(answer.content or b"") != PART_BYTES:
                answer.failure(
                    f"{answer.status_code} with {len(answer.content or b'')} bytes, where 206 with {PART_BYTES} was due"
                )

    @task(1)
    def follow_a_dead_link(self) -> None:
        with self.client.get("/nothing-here", name="/nothing-here (404)", catch_response=True) as answer:
            if answer.status_code == 404:
                answer.success()

    def fetch(self, path: str) -> str:
        """Whole the first time, and afterwards only if it has changed. Empty where it has not."""
        tag = self.tags.get(path)
        known = {"If-None-Match": tag} if tag else {}
        # One row for each page and for each folder: the table on the page stays readable.
        name = path if path in PAGES else f"{path.rpartition('/')[0]}/*"
        with self.client.get(
            path, headers=known, name=f"{name} (again)" if tag else name, catch_response=True
        ) as answer:
            if answer.status_code not in (200, 304):
                answer.failure(f"status {answer.status_code}")
                return ""
            self.tags[path] = (answer.headers or {}).get("etag", "")
            return str(answer.text or "") if answer.status_code == 200 and path in PAGES else ""
