// Each call that fails while a server runs: it may cost the connection that it strikes, and nobody
// else. Nothing crashes, spins, hangs, or stays behind.

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <thread>

#include "faults/faults.h"

namespace weir::tests {
namespace {

struct Running : Faults {
    struct Exchange {
        std::string_view name;
        std::function<void(Client&)> run;
    };
    std::vector<Exchange> exchanges(std::size_t large);

    /// With a pause of 10 ms or more between two, in each of five threads; 50 at least.
    static int attempts_since(std::chrono::steady_clock::time_point begin) {
        const auto time = std::chrono::steady_clock::now() - begin;
        return std::max(50, static_cast<int>(time / milliseconds{2}));
    }

    /// The exchange with a fault in the nth call; false where it makes fewer.
    bool survives(const Exchange& exchange, const Fault& fault, int nth);
};
WEIR_OVER_EVERY_ENGINE(Running);

/// One of each kind, so that every call that an engine has is made; `large` is too much for one send.
std::vector<Running::Exchange> Running::exchanges(std::size_t large) {
    const auto bytes = std::to_string(large);
    return {
        {"requests on one connection",
         [](Client& peer) {
             for (int i = 0; i < 2; ++i) EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
             peer.send(get("/text?is=a") + get("/text?is=b"));
             EXPECT_EQ(peer.answer().content, "a");
             EXPECT_EQ(peer.answer().content, "b");
         }},
        {"content",
         [](Client& peer) {
             expect_pattern(peer.ask(post("/echo", pattern(0, 3000))).content, 3000);
             peer.send(
                 "POST /echo HTTP/1.1\r\nHost: weir.test\r\nTransfer-Encoding: chunked\r\n\r\n");
             peer.send(chunk("one ") + chunk("two") + "0\r\n\r\n");
             EXPECT_EQ(peer.answer().content, "one two");
         }},
        {"a large answer",
         [=](Client& peer) {
             expect_pattern(peer.ask(get("/big?bytes=" + bytes)).content, large);
         }},
        {"a file",
         [=](Client& peer) {
             expect_pattern(peer.ask(get("/file?bytes=" + bytes)).content, large);
         }},
        // Both need a way for another thread to come back, which may be what could not be made: 500.
        {"a stream",
         [](Client& peer) {
             const auto answer = peer.ask(get("/stream?pause=2&bytes=5000"));
             if (answer.status != 500) expect_pattern(answer.content, 5000);
         }},
        {"a later answer",
         [](Client& peer) {
             const auto answer = peer.ask(get("/later?open"));
             EXPECT_EQ(answer.content == "later ", answer.status != 500);
         }},
        {"an early answer",
         [](Client& peer) {
             peer.send(post_head("/refuse", 3000) + "some");
             EXPECT_EQ(peer.answer().status, 403);
             peer.offer("more");
             peer.half_close();
             EXPECT_EQ(peer.ending(), Ending::closed);
         }},
    };
}

bool Running::survives(const Exchange& exchange, const Fault& fault, int nth) {
    SCOPED_TRACE(std::string{exchange.name} + ", " + to_text(fault) + ", call " +
                 std::to_string(nth));
    injector.clear();
    injector.fail(fault.call, fault.error, nth);
    try {
        auto peer = client({.receive_buffer_bytes = 4096});
        exchange.run(peer);
    } catch (const TimedOut&) {
        ADD_FAILURE() << "neither an answer nor an end";
    } catch (const Unexpected&) {
        EXPECT_NE(injector.failed(fault.call), 0);  // only what was struck is cut
    }
    const bool reached = injector.failed(fault.call) != 0;
    injector.clear();
    expect_served();
    return reached;
}

TEST_P(Running, OneFaultCostsOneConnectionAtMost) {
    constexpr std::array faults{
        Fault{Call::accept4, EMFILE},      Fault{Call::accept4, ENFILE},
        Fault{Call::accept4, ENOBUFS},     Fault{Call::accept4, ENOMEM},
        Fault{Call::accept4, EINTR},       Fault{Call::accept4, EAGAIN},
        Fault{Call::accept4, EPERM},       Fault{Call::accept4, ENETDOWN},
        Fault{Call::accept4, EPROTO},      Fault{Call::accept4, ECONNABORTED},
        Fault{Call::recv, EINTR},          Fault{Call::recv, EAGAIN},
        Fault{Call::recv, ECONNRESET},     Fault{Call::recv, ETIMEDOUT},
        Fault{Call::recv, ENOMEM},         Fault{Call::send, EINTR},
        Fault{Call::send, EAGAIN},         Fault{Call::send, EPIPE},
        Fault{Call::send, ECONNRESET},     Fault{Call::send, ENOBUFS},
        Fault{Call::sendmsg, EINTR},       Fault{Call::sendmsg, EAGAIN},
        Fault{Call::sendmsg, EPIPE},       Fault{Call::sendmsg, ENOMEM},
        Fault{Call::sendfile, EINTR},      Fault{Call::sendfile, EAGAIN},
        Fault{Call::sendfile, EIO},        Fault{Call::sendfile, EINVAL},
        Fault{Call::sendfile, ENOSYS},     Fault{Call::sendfile, ECONNRESET},
        Fault{Call::epoll_wait, EINTR},    Fault{Call::epoll_ctl, ENOMEM},
        Fault{Call::epoll_ctl, ENOSPC},    Fault{Call::poll, EINTR},
        Fault{Call::poll, ENOMEM},         Fault{Call::select, EINTR},
        Fault{Call::select, ENOMEM},       Fault{Call::shutdown, ENOTCONN},
        Fault{Call::eventfd, EMFILE},      Fault{Call::eventfd, ENOMEM},
        Fault{Call::start_thread, EAGAIN}, Fault{Call::fork, EAGAIN},
        Fault{Call::fork, ENOMEM},         Fault{Call::ring_enter, EINTR},
        Fault{Call::ring_enter, EAGAIN},   Fault{Call::ring_enter, EBUSY},
        Fault{Call::ring_enter, ENOMEM},   Fault{Call::ring_receive, ECONNRESET},
        Fault{Call::ring_receive, ENOMEM}, Fault{Call::ring_receive, ENOBUFS},
        Fault{Call::ring_receive, EINTR},  Fault{Call::ring_receive, ECANCELED},
        Fault{Call::ring_send, EPIPE},     Fault{Call::ring_send, ECONNRESET},
        Fault{Call::ring_send, ENOMEM},    Fault{Call::ring_send, EAGAIN},
        Fault{Call::ring_send, EINTR},     Fault{Call::ring_poll, ENOMEM},
        Fault{Call::ring_poll, EINTR},     Fault{Call::ring_poll, ECANCELED},
    };
    constexpr std::size_t large = 200'000;
    constexpr int calls_max = 4;
    handler.file.write(pattern(0, large));
    const int descriptors = open_descriptors();
    start();
    for (const auto& exchange : exchanges(large))
        for (const auto& fault : faults)
            for (int nth = 1; nth <= calls_max && survives(exchange, fault, nth); ++nth) {}
    stop();
    EXPECT_EQ(open_descriptors(), descriptors);
}

TEST_P(Running, AStopIsSeenThoughItsWatchFailed) {
    // How many there are depends on when the first peer is noticed.
    constexpr int watches_max = 8;
    int failed = 0;
    for (int nth = 1; nth <= watches_max; ++nth) {
        SCOPED_TRACE("watch " + std::to_string(nth));
        injector.clear();
        injector.fail(Call::ring_poll, ENOMEM, nth);
        start();
        try {
            expect_served();
        } catch (const Unexpected&) {
            // A kernel of old polls for the bytes of a peer, too, if they come after the connection.
            EXPECT_EQ(injector.failed(Call::ring_poll), 1);
            expect_served();
        }
        if (!uses_a_ring()) GTEST_SKIP() << engine().name << " has no ring";
        server().drain();
        EXPECT_FALSE(server().wait());
        failed += injector.failed(Call::ring_poll);
        stop();
    }
    EXPECT_GE(failed, 3);
}

TEST_P(Running, FileSystemsThatCannotSendFilesAreRead) {
    handler.file.write(pattern(0, 200'000));
    start();
    for (const int error : {EINVAL, ENOSYS}) {
        injector.fail(Call::sendfile, error, 1, 1'000'000);
        auto peer = client();
        expect_pattern(peer.ask(get("/file?bytes=200000")).content, 200'000);
        injector.clear();
    }
}

TEST_P(Running, FilesThatCannotBeReadCutTheirConnection) {
    handler.file.write(pattern(0, 200'000));
    start();
    injector.fail(Call::sendfile, EIO, 1, 1'000'000);
    auto peer = client({.receive_buffer_bytes = 4096});
    EXPECT_THROW(peer.ask(get("/file?note=a&bytes=200000")), Unexpected);
    handler.journal.await("a: source failed");
    injector.clear();
    expect_served();
}

TEST_P(Running, NothingMovesButInSmallPieces) {
    constexpr std::size_t large = 3000;
    options.limits.inline_content_bytes_max = large / 3;  // or it would be copied behind its head
    handler.file.write(pattern(0, large));
    start();
    for (const std::size_t size : {1, 2, 3, 7, 100, 4099}) {
        injector.cap(size);
        for (const auto& exchange : exchanges(large)) {
            SCOPED_TRACE(std::string{exchange.name} + ", pieces of " + std::to_string(size));
            auto peer = client();
            exchange.run(peer);
        }
    }
}

TEST_P(Running, AcceptThatGoesOnFailingIsNotTriedWithoutEnd) {
    start();
    expect_served();
    WEIR_NEEDS_CALLS();
    for (const int error : {EMFILE, ENFILE, ENOBUFS, ENOMEM}) {
        SCOPED_TRACE(::strerrorname_np(error));
        injector.clear();
        injector.fail(Call::accept4, error, 1, 1'000'000'000);
        const auto begin = std::chrono::steady_clock::now();
        auto peer = client();
        peer.send(get("/hello"));
        while (injector.failed(Call::accept4) == 0 &&
               std::chrono::steady_clock::now() < begin + time_limit)
            std::this_thread::yield();  // it may not be run for a while
        constexpr milliseconds observed{100};
        EXPECT_FALSE(peer.readable_within(observed));
        EXPECT_GE(injector.failed(Call::accept4), 1);
        EXPECT_LE(injector.failed(Call::accept4), attempts_since(begin));
        injector.clear();
        EXPECT_EQ(peer.answer().content, "hello\n");
    }
}

TEST_P(Running, ThreadsOrWatchesThatAreNotToBeHadDoNotSpin) {
    start();
    expect_served();
    for (const Call call : {Call::start_thread, Call::fork, Call::epoll_ctl}) {
        SCOPED_TRACE(to_text(call));
        injector.clear();
        injector.fail(call, call == Call::epoll_ctl ? ENOSPC : EAGAIN, 1, 1'000'000'000);
        const auto begin = std::chrono::steady_clock::now();
        auto peer = client();
        peer.send(get("/hello"));
        constexpr milliseconds observed{100};
        peer.readable_within(observed);
        EXPECT_LE(injector.failed(call), attempts_since(begin));
        injector.clear();
        expect_served();
    }
}

/// A thread may need their memory.
TEST_P(Running, PeersThatWereResetAreLetGoWithoutAThread) {
    if (engine().name != "select-threads")
        GTEST_SKIP() << engine().name << " needs no thread to receive, or keeps it";
    options.timeouts.head = milliseconds::zero();  // nothing else ends the connection
    start();
    expect_served();
    const int before = open_descriptors();
    injector.fail(Call::start_thread, EAGAIN, 1, 1'000'000'000);
    auto peer = client();
    peer.send("GET /hello HTTP/1.1\r\n");
    const auto begin = std::chrono::steady_clock::now();
    const auto waits = [begin] { return std::chrono::steady_clock::now() < begin + time_limit; };
    while (injector.failed(Call::start_thread) == 0 && waits()) std::this_thread::yield();
    peer.reset();
    while (open_descriptors() > before && waits()) std::this_thread::yield();
    EXPECT_EQ(open_descriptors(), before);
    injector.clear();
    expect_served();
}

}  // namespace
}  // namespace weir::tests
