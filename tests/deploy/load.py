"""Clients of a fleet: each asks again and again, compares status, entity tag and each byte, and keeps what it lost."""

import itertools
import threading
from contextlib import closing
from http.client import HTTPConnection, HTTPException, RemoteDisconnected

from served import PATIENCE_SECONDS, Clients

PART_BYTES = 1000  # of the end of a file, which a download that goes on asks for


class Question:
    """A request and its one right answer."""

    def __init__(self, path, content, tag, kind):
        self.path, self.tag, self.kind = path, tag, kind
        self.fields, self.status, self.content = {
            "whole": ({}, 200, content),
            "again": ({"If-None-Match": tag}, 304, b""),
            "rest": ({"Range": f"bytes=-{PART_BYTES}", "If-Range": tag}, 206, content[-PART_BYTES:]),
        }[kind]

    def fault_of(self, response, content):
        """What is wrong with an answer, or ''."""
        if response.status != self.status:
            return f"status {response.status} in place of {self.status}"
        if response.headers["ETag"] != self.tag:
            return f"tag {response.headers['ETag']} in place of {self.tag}"
        return "" if content == self.content else f"{len(content)} bytes, not the {len(self.content)} of the file"


def questions(files):
    """`files`: {path: (content, tag)}."""
    return [Question(path, *files[path], kind) for path in files for kind in ("whole", "again", "rest")]


class Load(Clients):
    """Half of the clients keep their connections, and half make one for each request. `place`: a context for each thread."""

    def __init__(self, address, asked, place, clients=8):
        self.address, self.lost, self.answered, self.repeated = address, [], [0] * clients, 0
        self.ended, self.place, self.news = threading.Event(), place, threading.Condition()
        self.threads = [threading.Thread(target=self.run, args=(number, asked)) for number in range(clients)]

    def __exit__(self, *raised):
        self.ended.set()
        super().__exit__(*raised)

    def run(self, number, asked):
        # Each client begins with another question.
        turns = itertools.cycle(asked[number % len(asked):] + asked[:number % len(asked)])
        with self.place():
            while not self.ended.is_set():
                if number % 2:
                    self.ask_on_one_connection(number, turns)
                else:
                    self.ask_once(number, next(turns))

    def ask_once(self, number, question):
        with closing(self.connection()) as connection:
            self.ask(number, connection, question)

    def ask_on_one_connection(self, number, turns):
        """Until the connection ends."""
        with closing(self.connection()) as connection:
            kept = False
            while not self.ended.is_set() and self.ask(number, connection, next(turns), kept) and connection.sock:
                kept = True

    def ask(self, number, connection, question, kept=False):
        """Whether the connection can be used further."""
        try:
            connection.request("GET", question.path, headers=question.fields)
            response = connection.getresponse()
            fault = question.fault_of(response, response.read())
        except (RemoteDisconnected, BrokenPipeError, ConnectionResetError) as error:
            if kept:
                # A kept connection may end while it is idle (RFC 9112, 9.3.1). The client asks again.
                self.repeated += 1
                self.ask_once(number, question)
                return False
            fault = f"{type(error).__name__} {error}"
        except (OSError, HTTPException) as error:
            fault = f"{type(error).__name__} {error}"
        if fault:
            self.lost.append(f"{question.kind} {question.path}: {fault}")
        else:
            with self.news:
                self.answered[number] += 1
                self.news.notify()
        return not fault

    def connection(self):
        return HTTPConnection(self.address, 8000, timeout=PATIENCE_SECONDS)

    def wait_for_answers(self, count):
        """From now on, so many for each client."""
        due = [answered + count for answered in self.answered]
        with self.news:
            came = self.news.wait_for(lambda: all(now >= then for now, then in zip(self.answered, due, strict=True)), PATIENCE_SECONDS)
        if not came:
            raise AssertionError(f"after {PATIENCE_SECONDS} s, {due} answers have not come, but {self.answered}; lost: {self.lost}")
