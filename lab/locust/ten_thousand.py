"""A locustfile: many users stay connected, and each asks for the first page every ten seconds.

Ten thousand users then make ten thousand connections and a thousand requests a second, which one Locust process can do.
If they asked as soon as they are answered, they would only measure Locust."""

from __future__ import annotations

import kept_connections  # noqa: F401  (it mends Locust's pool; Locust looks for it beside this file)

from locust import FastHttpUser, constant_pacing, task

EVERY_SECONDS = 10.0


class PageUser(FastHttpUser):
    wait_time = constant_pacing(EVERY_SECONDS)

    @task
    def first_page(self) -> None:
        self.client.get("/index.html")
