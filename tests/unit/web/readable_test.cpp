#include "weir/web/readable.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <thread>

#include "support/process.h"
#include "weir/web/await.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/together.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;
using tests::open_descriptors;

/// Two sockets; the coroutines wait for `near`, and the test has `far`.
struct Descriptors : ::testing::Test {
    Descriptors() {
        std::array<int, 2> ends{};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()),
                  0);
        near = ends[0];
        far = ends[1];
        router.get("/read", [this](Call) -> Task<Response> {
            co_await readable(near);
            std::array<char, 16> bytes{};
            const auto size = ::read(near, bytes.data(), bytes.size());
            co_return text("read " + std::to_string(size));
        });
        router.get("/write", [this](Call) -> Task<Response> {
            co_await writable(near);
            co_return text("writes");
        });
        router.get("/either", [this](Call) -> Task<Response> {
            const auto first = co_await when_any(readable(near), writable(near), sleep_for(30s));
            co_return text(std::to_string(first.index()));
        });
        router.get("/warm", [this](Call) -> Task<Response> {
            co_await when_any(readable(near), sleep_for(0ms));
            co_return Response{};
        });
    }
    ~Descriptors() override {
        ::close(near);
        if (far >= 0) ::close(far);
    }
    void say() const { EXPECT_EQ(::write(far, "x", 1), 1); }
    void fill() const {
        const std::array<char, 4096> bytes{};
        while (::write(near, bytes.data(), bytes.size()) > 0) {}
    }
    void drain() const {
        std::array<char, 4096> bytes{};
        while (::read(far, bytes.data(), bytes.size()) > 0) {}
    }

    int near = -1;
    int far = -1;
    Router router;
    Probe probe{router};
};

TEST_F(Descriptors, ThatAreReadyAreNotWaitedFor) {
    say();
    EXPECT_EQ(probe.open("GET", "/read").answer().content, "read 1");
    EXPECT_EQ(probe.open("GET", "/write").answer().content, "writes");
}

TEST_F(Descriptors, AreWaitedFor) {
    auto exchange = probe.open("GET", "/read");
    EXPECT_EQ(exchange.answer().status, 0u);
    say();
    EXPECT_EQ(exchange.wait().content, "read 1");
    fill();
    auto writes = probe.open("GET", "/write");
    EXPECT_EQ(writes.answer().status, 0u);
    drain();
    EXPECT_EQ(writes.wait().content, "writes");
}

TEST_F(Descriptors, AtTheirEndAreReadable) {
    auto exchange = probe.open("GET", "/read");
    ::close(std::exchange(far, -1));
    EXPECT_EQ(exchange.wait().content, "read 0");
}

TEST_F(Descriptors, HaveSeveralWaits) {
    fill();
    auto either = probe.open("GET", "/either");
    auto read = probe.open("GET", "/read");
    EXPECT_EQ(either.answer().status, 0u);
    say();
    EXPECT_EQ(either.wait().content, "0");
    EXPECT_EQ(read.wait().content, "read 1");
    auto timed = probe.open("GET", "/either");
    EXPECT_EQ(timed.answer().status, 0u);
    probe.advance(30s);
    EXPECT_EQ(timed.wait().content, "2");
    auto again = probe.open("GET", "/either");
    drain();
    EXPECT_EQ(again.wait().content, "1");
}

TEST_F(Descriptors, AreForgottenWhenTheRequestEnds) {
    static_cast<void>(probe.get("/warm"));  // the thread has descriptors of its own
    const auto before = open_descriptors();
    for (int i = 0; i < 10; ++i) {
        auto exchange = probe.open("GET", "/read");
        EXPECT_EQ(open_descriptors(), before + 1) << "the wait has a duplicate";
        exchange.leave();
        EXPECT_EQ(open_descriptors(), before);
    }
    for (int i = 0; i < 10; ++i) {
        auto exchange = probe.open("GET", "/read");
        say();  // at the same moment
        exchange.leave();
        drain();
        EXPECT_EQ(open_descriptors(), before);
        std::array<char, 16> bytes{};
        static_cast<void>(::read(near, bytes.data(), bytes.size()));
    }
}

TEST_F(Descriptors, MayBeClosedMeanwhile) {
    auto exchange = probe.open("GET", "/read");
    ::close(near);
    say();
    const auto answer = exchange.wait();
    EXPECT_EQ(answer.content, "read -1");
    near = -1;
}

TEST_F(Descriptors, ThatAreNoneAreAnError) {
    router.get("/none", [](Call) -> Task<Response> {
        try {
            co_await readable(-7);
        } catch (const std::system_error& error) {
            co_return text(error.code() == std::errc::bad_file_descriptor ? "EBADF" : "other");
        }
        co_return text("ready");
    });
    EXPECT_EQ(probe.get("/none").content, "EBADF");
}

TEST_F(Descriptors, OfRegularFilesAreReady) {
    const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    router.get("/file", [file](Call) -> Task<Response> {
        co_await readable(file);
        co_return text("ready");
    });
    EXPECT_EQ(probe.get("/file").content, "ready");
    ::close(file);
}

TEST_F(Descriptors, ManyAreWatchedAtOnce) {
    constexpr int count = 200;
    int woken = 0;
    router.get("/count", [&](Call) -> Task<Response> {
        co_await readable(near);
        ++woken;
        co_return Response{};
    });
    std::vector<Probe::Exchange> exchanges;
    for (int i = 0; i < count; ++i) exchanges.push_back(probe.open("GET", "/count"));
    std::jthread other{[this] { say(); }};
    for (Probe::Exchange& exchange : exchanges) EXPECT_EQ(exchange.wait().status, 200u);
    EXPECT_EQ(woken, count);
}

}  // namespace
}  // namespace weir::web
