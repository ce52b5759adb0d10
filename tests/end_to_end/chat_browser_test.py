#!/usr/bin/env python3
"""examples/chat in a browser: what one page says, all pages see; and a stop is told."""

import os
import signal
import subprocess
from pathlib import Path

from browser import WithBrowser, main
from served import LISTEN, PATIENCE_SECONDS, die_with_parent, tcp_sockets, wait_until

CHAT = os.environ["EXAMPLE_CHAT"]

LINES = "[...document.querySelectorAll('#messages li')].map((line) => line.textContent)"
STATE = "document.getElementById('state').textContent"
SAY = """(text) => {
  document.getElementById('text').value = text;
  document.querySelector('#form button').click();
}"""
WATCH = """(() => {
  window.states = [];
  const state = document.getElementById('state');
  new MutationObserver(() => window.states.push(state.textContent)).observe(state, { childList: true });
})()"""
OTHER = """new Promise((done, failed) => {
  const other = new WebSocket(location.origin.replace('http', 'ws') + '/chat');
  other.onopen = () => other.send('from another');
  other.onmessage = (event) => { other.close(4000, 'seen'); other.onclose = (end) => done(event.data + end.code); };
  other.onerror = failed;
})"""


def port_of(pid):
    """Where it listens, of which it says nothing; None before (proc(5))."""
    files = {os.path.realpath(file).rpartition("/")[2] for file in Path(f"/proc/{pid}/fd").iterdir()}  # one may go meanwhile
    return next((each.port() for each in tcp_sockets() if each.state == LISTEN and each.link() in files), None)


class Chat(WithBrowser):
    def setUp(self):
        super().setUp()
        self.server = subprocess.Popen([CHAT, "127.0.0.1:0"], stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)
        self.addCleanup(self.end)
        wait_until(lambda: port_of(self.server.pid))

    def end(self):
        self.server.kill()
        self.server.wait(PATIENCE_SECONDS)

    def test_what_is_said_is_seen_and_the_stop_is_told(self):
        self.browser.open(f"http://127.0.0.1:{port_of(self.server.pid)}/")
        wait_until(lambda: self.browser.evaluate(STATE) == "Connected")
        self.browser.evaluate(f"({SAY})('Hello, <b>w\u00f6rld</b>')")
        wait_until(lambda: self.browser.evaluate(LINES) == ["Hello, <b>w\u00f6rld</b>"])
        self.assertEqual(self.browser.evaluate(OTHER), "from another4000")
        wait_until(lambda: self.browser.evaluate(LINES) == ["from another", "Hello, <b>w\u00f6rld</b>"])
        self.browser.evaluate(WATCH)
        self.server.send_signal(signal.SIGTERM)
        wait_until(lambda: "Disconnected (1001)" in self.browser.evaluate("window.states"))
        self.assertEqual(self.server.wait(PATIENCE_SECONDS), 0)


if __name__ == "__main__":
    main()
