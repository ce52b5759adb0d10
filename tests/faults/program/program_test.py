"""What `./run faults` trusts: the supervisor strikes what it was told to strike, and the client tells a wrong byte from a cut."""

import errno
import io
import socket
import sys
import tempfile
import threading
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import calls
from client import Client, Cut, Wrong
from faults import Fault, Plan
from life import REPORTED, Life, until
from run_faults import LATE_MAX, Bench, Engine, tools_in
from script import Script

BUILD = Path(sys.argv.pop())


def fault(step, name, error, nth=1):
    key = next(key for key in range(calls.NUMBERS * calls.VARIANTS) if calls.name_of(key) == name)
    return Fault("per-core", step, key, error, nth)


class Supervised(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bench = Bench(tools_in(BUILD), {"name": "per-core", "has_workers": True}, Path(folder.name))
        options = self.bench.tools.options
        options[options.index("--head-timeout") + 1] = "60s"  # a client that is not run for a while is not cut for that

    def live(self, strikes=None):
        life = Life(self.bench.tools, self.bench.site.root, self.bench.folder, "per-core", strikes, script=Script)
        self.addCleanup(life.kill)
        return life

    def serving(self):
        """One that has started whole: what is armed while it still starts strikes there."""
        life = self.live()
        self.assertTrue(life.begins())
        until(lambda: f"127.0.0.1:{life.port}" in life.text(), "word that it serves")
        return life

    def test_a_call_that_fails_at_the_start_is_told(self):
        life = self.live(fault("start", "listen", errno.EADDRINUSE))
        self.assertFalse(life.begins())
        self.assertEqual(life.end(), 1)
        self.assertIn("cannot listen on 127.0.0.1", life.text())
        self.assertEqual(life.orders.get("hits"), 1)

    def test_an_allocation_can_fail(self):
        """The first one may be of a thread that still starts: then the answer is whole, and the next one is struck."""
        life = self.serving()
        for _ in range(20):
            life.orders.arm(fault("listing", "allocation", errno.ENOMEM))
            try:
                with Client(life.port) as peer:
                    peer.ask("/folder/")
            except Cut:
                break
            until(lambda: life.orders.get("hits") == 1, "the allocation that failed")
        else:
            self.fail("no allocation of a request has failed")
        self.assertEqual(life.orders.get("hits"), 1)

    def test_the_second_call_of_a_name_fails_and_no_other(self):
        life = self.serving()
        script = Script(life, self.bench.site)
        script.step_pipelined()
        life.orders.arm(fault("pipelined", "sendto", errno.EPIPE, nth=2))
        script.step_pipelined()
        self.assertEqual((life.orders.get("met"), life.orders.get("hits")), (1, 0))
        with self.assertRaises(Cut):
            script.step_pipelined()
        self.assertEqual(life.orders.get("hits"), 1)
        script.step_pipelined()

    def test_a_read_can_be_short(self):
        life = self.serving()
        life.orders.arm(fault("new_file", "pread64", calls.SHORT))
        Script(life, self.bench.site).step_new_file()
        self.assertEqual(life.orders.get("hits"), 1)

    def test_a_call_that_is_not_in_the_table_has_a_name(self):
        life = self.live()
        self.assertTrue(life.begins())
        wanted = {"listen", "openat2", "inotify_init1", "allocation"}
        # It listens for a moment to see whether it may, and makes the call that comes last after that.
        while not wanted <= {calls.name_of(key) for key in life.orders.counts()}:
            self.assertFalse(life.has_ended(0.005), life.text())

    def test_a_report_is_found(self):
        life = self.live()
        self.assertTrue(life.begins())
        life.look_for_reports()
        with open(life.said, "a", encoding="ascii") as said:
            said.write("==7==ERROR: AddressSanitizer: heap-use-after-free\n")
        with self.assertRaisesRegex(Wrong, "heap-use-after-free"):
            life.look_for_reports()


class Comparing(unittest.TestCase):
    def ask(self, sent, **expected):
        """A server that sends this, and closes."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve():
                with listener.accept()[0] as peer:
                    peer.recv(1 << 16)
                    peer.sendall(sent)

            thread = threading.Thread(target=serve)
            thread.start()
            try:
                with Client(listener.getsockname()[1]) as client:
                    return client.ask("/", **expected)
            finally:
                thread.join()

    def test_what_is_right_is_right(self):
        self.assertEqual(self.ask(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", body=b"ab").body, b"ab")

    def test_a_wrong_byte_is_wrong_in_a_body_that_was_cut_too(self):
        for length in (2, 3):
            with self.subTest(length), self.assertRaises(Wrong):
                self.ask(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\nax" % length, body=b"ab\n"[:length])

    def test_a_cut_and_a_refusal_are_cuts(self):
        for sent in (b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
                     b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"):
            with self.subTest(sent), self.assertRaises(Cut):
                self.ask(sent, body=b"abc")

    def test_another_status_is_wrong(self):
        with self.assertRaises(Wrong):
            self.ask(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


class Planning(unittest.TestCase):
    def test_each_errno_of_each_call_is_planned(self):
        key = fault("cached", "listen", 0).key
        self.assertEqual([one.nth for one in Plan().faults("per-core", "cached", {key: 3})], [1, 2, 3])
        key = fault("cached", "epoll_create1", 0).key
        self.assertEqual(len(list(Plan().faults("per-core", "cached", {key: 2}))), 6)
        self.assertEqual(len(list(Plan(once=True).faults("per-core", "cached", {key: 2}))), 1)
        self.assertEqual(len(list(Plan(calls=["listen"]).faults("per-core", "cached", {key: 2}))), 0)

    def test_under_other_engines_what_they_share_fails_with_one_errno_in_turn(self):
        shared, own = fault("large", "pread64", 0).key, fault("large", "accept4", 0).key
        planned = list(Plan().faults("reactor", "large", {shared: 3}))
        self.assertEqual([one.nth for one in planned], [1, 2, 3])
        self.assertEqual({one.error for one in planned}, set(calls.FAILS["pread64"]))
        self.assertEqual(len(list(Plan().faults("reactor", "large", {own: 1}))), len(calls.FAILS["accept4"]))
        self.assertLessEqual(len(list(Plan().faults("reactor", "large", {shared: 1_000}))), Script.others_max)
        self.assertEqual(len(list(Plan().faults("per-core", "large", {shared: 1_000}))), 3_000)

    def test_a_step_can_be_left_out(self):
        self.assertEqual([step for step in ("cached", "large") if Plan(left_out=("cached",)).has(step)], ["large"])

    def test_no_call_is_both_failed_and_spared(self):
        self.assertFalse(set(calls.FAILS) & set(calls.SPARED))
        self.assertTrue(all(calls.FAILS.values()))


class Late(unittest.TestCase):
    """The machine may keep a client from sending for longer than the server's timeouts."""

    def attempt(self, late, *ends):
        """What is done and wrong after a fault whose strikes end in this way, one after the other."""
        engine = Engine(SimpleNamespace(engine={"name": "per-core"}), Plan())
        engine.lateness = SimpleNamespace(was_since=lambda _: late)
        repairs = []
        with redirect_stderr(io.StringIO()):
            engine.attempt("fault", Mock(side_effect=ends), lambda: repairs.append(1))
        return dict(engine.done), len(engine.wrong), len(repairs)

    def test_a_fault_strikes_again(self):
        self.assertEqual(self.attempt(True, Cut("cut"), Wrong("wrong"), True), ({"reached": 1}, 0, 2))

    def test_what_stays_wrong_is_wrong(self):
        self.assertEqual(self.attempt(True, *[Cut("cut")] * (LATE_MAX + 1)), ({"reached": 1}, 1, LATE_MAX + 1))

    def test_in_time_the_first_strike_counts(self):
        self.assertEqual(self.attempt(False, Cut("cut")), ({"reached": 1}, 1, 1))

    def test_a_report_of_a_sanitizer_counts(self):
        self.assertEqual(self.attempt(True, Wrong(REPORTED + "a leak")), ({"reached": 1}, 1, 1))


if __name__ == "__main__":
    unittest.main()
