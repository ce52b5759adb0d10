"""Signals that come before the server is ready: none of them ends it in its own way."""

import signal
import subprocess
import unittest
from tempfile import TemporaryDirectory

from served import PATIENCE_SECONDS, SITE, EndToEnd, binary, die_with_parent, environment, run, spawn, wait_until

EARLY = {signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP, signal.SIGTERM, signal.SIGINT}


def pending(*numbers):
    """Before the command begins, these wait for it: they reach it as soon as it lets them."""
    def prepare():
        die_with_parent()
        signal.pthread_sigmask(signal.SIG_BLOCK, EARLY)
        for number in numbers:
            signal.raise_signal(number)
    return prepare


class EarlySignals(EndToEnd):
    def start_with(self, *numbers, options=()):
        process = subprocess.Popen([binary(), "serve", SITE, "-p", "0", *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                   env=environment(), preexec_fn=pending(*numbers))
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_that_would_open_the_log_again_do_no_harm(self):
        process = self.start_with(signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP)
        self.assertIn("serves", process.stdout.readline())
        # Taken, not left to wait; but a thread that starts another blocks all of them meanwhile.
        ours = sum(1 << number - 1 for number in EARLY)
        wait_until(lambda: not any(mask & ours for mask in masks(process.pid, "SigBlk", "SigPnd", "ShdPnd")))
        process.terminate()
        self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def test_that_stop_it_end_it_cleanly(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            self.assertEqual(self.start_with(number).wait(PATIENCE_SECONDS), 0)

    def test_that_a_supervisor_gets(self):
        with TemporaryDirectory() as folder:
            options = ("--control", f"{folder}/control")
            for number in (signal.SIGTERM, signal.SIGINT):
                self.assertEqual(self.start_with(number, options=options).wait(PATIENCE_SECONDS), 0)
            for number in (signal.SIGHUP, signal.SIGUSR2):
                process = self.start_with(number, options=options)
                wait_until(lambda: run("status", *options)[1].startswith("generation 2 "))
                process.terminate()
                self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    def test_sent_at_any_moment_of_the_start_never_kill_it(self):
        for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGHUP):
            for _ in range(20):
                process = spawn(["serve", SITE, "-p", "0"])
                self.addCleanup(process.stdout.close)
                self.addCleanup(process.kill)
                if self.sends_until_ready(process, number):
                    process.terminate()
                self.assertEqual(process.wait(PATIENCE_SECONDS), 0)

    @staticmethod
    def sends_until_ready(process, number):
        """From the moment on at which the command takes the signal (proc(5)) until its banner comes."""
        mask = 1 << number - 1
        while not mask & next(masks(process.pid, "SigCgt")):
            if process.poll() is not None:
                return False
        while process.poll() is None:
            process.send_signal(number)
            if b"serves" in process.stdout.readline():
                return True
        return False


def masks(pid, *names):
    """Masks of signals, as /proc/pid/status has them (proc(5)); of a process that ended, none."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        fields = dict(line.split(":\t") for line in status)
    return (int(fields[name], 16) for name in names)


if __name__ == "__main__":
    unittest.main()
