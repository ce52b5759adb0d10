"""Servers that lie from the start: the lab speaks with each before it is measured, and finds out what is wrong."""

import pytest
from lying import BadTarget, Lab

# Nothing more comes, and the lab must give up. All others answer, and that ends the wait.
SILENT = ("shorter than announced", "never closes", "pipelined merged")


@pytest.mark.parametrize(
    ("how", "scenario", "question", "words"),
    [
        ("302", "keep-alive", "get", "status 302, not 200"),
        ("zeros", "keep-alive", "get", "the content is not the right one (SHA-256 5f70bf18a086, not"),
        ("ten short", "keep-alive", "get", "the server answers 1014 bytes, not 1024"),
        ("same sum", "keep-alive", "get", "the server answers 1027 bytes, not 1024"),
        ("shorter than announced", "keep-alive", "get", "nothing more in the content (1,014 of 1,024 bytes came)"),
        ("longer than announced", "keep-alive", "get", "10 bytes more than it announced"),
        ("http/1.0", "keep-alive", "get", "answers in HTTP/1.0, not HTTP/1.1"),
        ("chunks", "keep-alive", "get", "in chunks, without a Content-Length"),
        ("two lengths", "keep-alive", "get", "several Content-Lengths"),
        ("old date", "keep-alive", "get", "Date is not today's"),
        ("closes each ten", "keep-alive", "keep-alive", "request 11 of 100 on one connection: the server closed"),
        ("second connection", "keep-alive", "new connections", "the content is not the right one"),
        ("never closes", "close", "close", "keeps a connection that it was asked to close"),
        ("pipelined out of order", "pipelined", "pipelining", "answer 2 of 16 pipelined requests"),
        ("pipelined merged", "pipelined", "pipelining", "answer 16 of 16 pipelined requests: the server sent nothing"),
        ("head with content", "keep-alive", "head", "content came with it"),
        ("200 for all", "keep-alive", "404", "status 200, not 404"),
    ],
)
def test_is_not_measured(
    how: str, scenario: str, question: str, words: str, lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how in SILENT:
        monkeypatch.setattr("weir_lab.servers.server_process.ANSWER_SECONDS", 1.0)
        for name in ("CLOSE_SECONDS", "WAIT_SECONDS"):
            monkeypatch.setattr(f"weir_lab.verify.validator.{name}", 5.0)
    reason = lab.before(BadTarget(how), scenario)
    assert reason.startswith(f"asked by the validator ({question}): ") and words in reason
