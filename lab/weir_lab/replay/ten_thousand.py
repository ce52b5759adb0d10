"""A locustfile: many users who stay connected and ask for the first page every ten seconds each.

So ten thousand of them are ten thousand connections and a thousand requests a second, which one Locust process can hold: users who ask
as soon as they are answered would only measure Locust.
"""

from __future__ import annotations

from locust import FastHttpUser, constant_pacing, task

EVERY_SECONDS = 10.0


class Visitor(FastHttpUser):
    wait_time = constant_pacing(EVERY_SECONDS)

    @task
    def first_page(self) -> None:
        self.client.get("/index.html")
