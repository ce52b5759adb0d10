"""A headless Chromium, driven over its DevTools pipe: NUL-terminated JSON on descriptors 3 and 4, so no library is needed.

It keeps what a visitor with an open console would see: messages, exceptions, every response and every failed request.
"""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from served import PATIENCE_SECONDS, SKIPPED, EndToEnd, die_with_parent, is_missing


FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--no-proxy-server", "--remote-debugging-pipe")


def _high(descriptor):
    """The same pipe end on a descriptor that is neither 3 nor 4."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Browser:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="weir-browser-")
        to_browser, self._write = map(_high, os.pipe())
        self._read, from_browser = map(_high, os.pipe())

        def descriptors():
            die_with_parent()
            os.dup2(to_browser, 3)
            os.dup2(from_browser, 4)

        self.process = subprocess.Popen(["chromium", *FLAGS, f"--user-data-dir={self.profile}", "about:blank"], pass_fds=(3, 4),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=descriptors)
        os.close(to_browser)
        os.close(from_browser)
        self._unread, self._number, self._events = b"", 0, []
        self._session = None
        target = next(target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        os.close(self._write)  # Chromium ends when its pipe does
        try:
            self.process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._read)
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _message(self, until):
        while b"\0" not in self._unread:
            if not select.select([self._read], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError(f"Chromium said nothing for {PATIENCE_SECONDS} s")
            if not (part := os.read(self._read, 1 << 20)):
                raise ConnectionError("Chromium has ended")
            self._unread += part
        message, _, self._unread = self._unread.partition(b"\0")
        return json.loads(message)

    def _next(self, wanted):
        """The first message that is wanted; events that come before it are kept."""
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            message = self._message(until)
            if "method" in message:
                self._events.append(message)
            if wanted(message):
                return message

    def call(self, method, **parameters):
        self._number += 1
        number, session = self._number, {"sessionId": self._session} if self._session else {}
        os.write(self._write, json.dumps({"id": number, "method": method, "params": parameters} | session).encode() + b"\0")
        answer = self._next(lambda message: message.get("id") == number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, url):
        """Loads a page, and returns once it and all that it asked for while loading has come or failed."""
        self._events.clear()
        failed = self.call("Page.navigate", url=url).get("errorText")
        if failed and failed != "net::ERR_HTTP_RESPONSE_CODE_FAILURE":
            raise ConnectionError(f"{url}: {failed}")
        if not self._heard("Page.loadEventFired"):
            self._next(lambda message: message.get("method") == "Page.loadEventFired")

    def _heard(self, method):
        return [event["params"] for event in self._events if event["method"] == method]

    def evaluate(self, expression):
        """The value of an expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def complaints(self):
        """What stands in the console, uncaught exceptions, and requests that failed."""
        asked = {entry["requestId"]: f"{entry['request']['method']} {entry['request']['url']}" for entry in self._heard("Network.requestWillBeSent")}
        return ([f"{entry['entry']['level']}: {entry['entry']['text']} {entry['entry'].get('url', '')}" for entry in self._heard("Log.entryAdded")]
                + [f"{entry['type']}: {[part.get('value') for part in entry['args']]}" for entry in self._heard("Runtime.consoleAPICalled")]
                + [f"exception: {entry['exceptionDetails']['text']}" for entry in self._heard("Runtime.exceptionThrown")]
                + [f"failed: {entry['errorText']} {asked.get(entry['requestId'])}" for entry in self._heard("Network.loadingFailed")])

    def responses(self):
        """Every response since the page was opened: (URL, status)."""
        return [(entry["response"]["url"], entry["response"]["status"]) for entry in self._heard("Network.responseReceived")]

    def look(self, width, height, scheme="light", phone=False, reduced_motion=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"}])

    def screenshot(self):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


class WithBrowser(EndToEnd):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.browser.look(1280, 800)


def main():
    """In place of unittest.main(): without Chromium nothing is tried, and the last line says so."""
    if reason := is_missing("chromium"):
        print(reason)
        sys.exit(SKIPPED)
    unittest.main()
