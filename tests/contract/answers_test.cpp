// Large answers, files, and streams.

#include <unistd.h>

#include <fstream>

#include "contract/contract.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct Answers : Contract {};
WEIR_OVER_EVERY_ENGINE(Answers);

TEST_P(Answers, LargeOwnedAndBorrowed) {
    auto peer = client();
    for (const auto* target : {"/big?bytes=5000000", "/big?own&bytes=5000000"}) {
        expect_pattern(peer.ask(get(target)).content, 5'000'000);
    }
}

TEST_P(Answers, LargeOnesPipelined) {
    auto peer = client();
    peer.send(get("/big?bytes=1000000") + get("/hello") + get("/stream?bytes=1000000") +
              get("/hello"));
    for (int i = 0; i < 2; ++i) {
        expect_pattern(peer.answer().content, 1'000'000);
        EXPECT_EQ(peer.answer().content, "hello\n");
    }
}

TEST_P(Answers, ThroughASmallWindow) {
    auto peer = client({.receive_buffer_bytes = 4096});
    expect_pattern(peer.ask(get("/big?bytes=2000000")).content, 2'000'000);
}

TEST_P(Answers, File) {
    handler.file.write(pattern(0, 3'000'000));
    auto peer = client({.receive_buffer_bytes = 4096});
    peer.send(get("/file?bytes=3000000") + get("/hello") + get("/file?bytes=10"));
    expect_pattern(peer.answer().content, 3'000'000);
    EXPECT_EQ(peer.answer().content, "hello\n");
    EXPECT_EQ(peer.answer().content, pattern(0, 10));
}

/// sendfile(2) can't send it from where it lies, as on some file systems. No byte past it is sent.
TEST_P(Answers, FileThatMustBeRead) {
    std::string content;
    std::getline(std::ifstream{unsendable_file}, content);
    ASSERT_GT(content.size(), 10u);
    auto peer = client();
    peer.send(get("/unsendable?bytes=5&from=2") + get("/unsendable?bytes=3") + get("/hello"));
    EXPECT_EQ(peer.answer().content, content.substr(2, 5));
    EXPECT_EQ(peer.answer().content, content.substr(0, 3));
    EXPECT_EQ(peer.answer().content, "hello\n");
}

TEST_P(Answers, HugeFileInFlatMemory) {
    options.engine.workers = 2;  // each more has memory of its own
    constexpr std::size_t bytes = sanitized ? 64'000'000 : 200'000'000;
    constexpr std::size_t margin = 16'000'000;
    handler.file.resize(bytes);
    auto peer = client();
    peer.ask(get("/hello"));
    reset_peak_memory();
    const auto before = peak_memory_bytes();

    peer.send(get("/file?bytes=" + std::to_string(bytes)));
    ASSERT_EQ(peer.answer_head().length, bytes);
    peer.pass(bytes, [](std::string_view piece) {
        ASSERT_EQ(piece.find_first_not_of('\0'), std::string_view::npos);
    });
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
    EXPECT_LT(peak_memory_bytes(), before + margin);
}

TEST_P(Answers, FileBeyondFourGigabytes) {
    constexpr std::size_t hole = 5'000'000'000;
    handler.file.resize(hole);
    ASSERT_EQ(::lseek(handler.file.fd(), 0, SEEK_END), static_cast<off_t>(hole));
    handler.file.write(pattern(0, 100'000));
    auto peer = client();
    const auto answer = peer.ask(get("/file?bytes=100000&from=" + std::to_string(hole)));
    expect_pattern(answer.content, 100'000);
}

TEST_P(Answers, FileThatShrinksWhileItIsSent) {
    constexpr std::size_t bytes = 50'000'000;
    handler.file.resize(bytes);
    auto peer = client({.receive_buffer_bytes = 4096});
    peer.send(get("/file?note=a&bytes=" + std::to_string(bytes)) + get("/hello"));
    ASSERT_EQ(peer.answer_head().length, bytes);
    peer.take(1000);
    handler.file.resize(1000);
    // Fewer bytes than promised, then the end: the peer sees the cut, and takes nothing else for
    // it.
    std::string rest;
    peer.ending(&rest);
    EXPECT_LT(rest.size(), bytes - 1000);
    EXPECT_EQ(rest.find("HTTP/"), std::string::npos);
    handler.journal.await("a: source failed");
    expect_served();
}

struct Streams : Contract {};
WEIR_OVER_EVERY_ENGINE(Streams);

TEST_P(Streams, OfUnknownSizeAreChunked) {
    auto peer = client();
    const auto answer = peer.ask(get("/stream?note=a&bytes=1000000"));
    EXPECT_EQ(answer.framing, Framing::chunked);
    expect_pattern(answer.content, 1'000'000);
    handler.journal.await("a streamed: sent");
    handler.journal.await("a: sent");
    EXPECT_EQ(peer.ask(get("/stream?bytes=0")).content, "");
}

TEST_P(Streams, OfUnknownSizeEndTheConnectionInHttp10) {
    auto peer = client();
    peer.send("GET /stream?bytes=100000 HTTP/1.0\r\n\r\n");
    const auto answer = peer.answer();
    EXPECT_EQ(answer.framing, Framing::until_end);
    expect_pattern(answer.content, 100'000);
}

TEST_P(Streams, OfKnownSizeHaveALength) {
    auto peer = client();
    const auto answer = peer.ask(get("/stream?sized&bytes=1000000"));
    EXPECT_EQ(answer.framing, Framing::length);
    expect_pattern(answer.content, 1'000'000);
}

TEST_P(Streams, ThatPauseAndAreWokenByAnotherThread) {
    auto peer = client();
    for (int i = 0; i < 3; ++i)
        expect_pattern(peer.ask(get("/stream?pause=2&bytes=1000000")).content, 1'000'000);
}

TEST_P(Streams, WhatIsReadyLeavesBeforeTheRestIs) {
    auto peer = client();
    peer.send(get("/gated?note=a"));
    EXPECT_EQ(peer.answer_head().framing, Framing::chunked);
    EXPECT_EQ(read_chunk(peer), "first\n");
    handler.gate.open();
    EXPECT_EQ(read_chunk(peer), "second\n");
    EXPECT_EQ(read_chunk(peer), "");
    handler.journal.await("a streamed: sent");
}

TEST_P(Streams, MixedWithAFile) {
    handler.file.write(pattern(0, 200'000));
    auto peer = client();
    const auto answer = peer.ask(get("/parts?bytes=200000"));
    // Not EXPECT_EQ: what it prints of so long a difference helps nobody.
    EXPECT_TRUE(answer.content == "before\n" + pattern(0, 200'000) + "after\n");
    EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
}

TEST_P(Streams, ThatFailAreCut) {
    auto peer = client();
    peer.send(get("/broken?note=a"));
    EXPECT_EQ(peer.answer_head().framing, Framing::chunked);
    EXPECT_EQ(read_chunk(peer), "first\n");
    handler.gate.open();
    std::string rest;
    peer.ending(&rest);
    EXPECT_EQ(rest, "");  // no last chunk: it isn't whole
    handler.journal.await("a streamed: source failed");
}

TEST_P(Streams, AreHeldBackByThePeer) {
    options.engine.workers = 2;  // each more has memory of its own
    WEIR_NEEDS_ANSWERS_SIDE_BY_SIDE();
    constexpr std::size_t bytes = 100'000'000;
    constexpr std::size_t margin = 32'000'000;
    auto slow = client({.receive_buffer_bytes = 4096});
    reset_peak_memory();
    const auto before = peak_memory_bytes();
    slow.send(get("/stream?note=a&bytes=" + std::to_string(bytes)));
    slow.answer_head();
    for (int i = 0; i < 100; ++i) expect_served();
    // A sanitizer's own memory, which grows with each thread, hides the server's.
    if (!sanitized) {
        EXPECT_LT(peak_memory_bytes(), before + margin);
    }
    slow.reset();
    handler.journal.await("a streamed: peer gone");
}

}  // namespace
}  // namespace weir::tests
