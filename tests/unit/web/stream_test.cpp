#include "weir/web/stream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "weir/web/await.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct Streams : ::testing::Test {
    Router router;
    Probe probe{router};
    std::vector<Stream> kept;
    std::vector<std::string> told;

    /// A route whose content comes from `give`.
    template <typename Give>
    void streams(Give give) {
        router.get("/", [give](const Call& call) { return stream(call, "text/plain", give); });
    }
    void keeps_streams() {
        streams([this](Stream out) { kept.push_back(std::move(out)); });
    }
    auto note(std::string what) {
        return [this, what](bool taken) { told.push_back(what + (taken ? "+" : "-")); };
    }
};

TEST_F(Streams, CoroutinesGiveContent) {
    streams([](Stream out) -> Task<> {
        co_await out.write("one ");
        co_await out.write("");
        co_await sleep_for(1s);
        co_await out.write("two");
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(exchange.answer().content, "one ");
    EXPECT_EQ(exchange.answer().field("Content-Type"), "text/plain");
    EXPECT_FALSE(exchange.answer().is_complete);
    probe.advance(1s);
    EXPECT_EQ(exchange.answer().content, "one two");
    EXPECT_TRUE(exchange.answer().is_complete);
}

TEST_F(Streams, GiveContentOfAnySize) {
    std::size_t total = 0;
    streams([&](Stream out) -> Task<> {
        for (std::size_t size = 1; size < 3'000'000; size *= 7) {
            co_await out.write(std::string(size, 'x'));
            total += size;
        }
    });
    const auto answer = probe.get("/");
    EXPECT_TRUE(answer.is_complete);
    EXPECT_EQ(answer.content.size(), total);
}

TEST_F(Streams, WriteReturnsWhenThePeerHasTaken) {
    int written = 0;
    streams([&](Stream out) -> Task<> {
        for (; written < 3; ++written) co_await out.write("x");
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(written, 3);
    written = 0;
    auto slow = probe.open("HEAD", "/");
    EXPECT_EQ(written, 0) << "nobody reads the content of HEAD";
    written = 0;
    auto blocked = probe.open_blocked("GET", "/");
    EXPECT_EQ(written, 0);
    blocked.take(true);
    EXPECT_EQ(written, 3);
}

TEST_F(Streams, MayPauseBeyondTheTimeOfAHandler) {
    const auto give = [](Stream out) -> Task<> {
        co_await out.write("one ");
        co_await sleep_for(24h);
        co_await out.write("two");
    };
    streams(give);
    auto exchange = probe.open("GET", "/");
    probe.advance(24h);
    EXPECT_EQ(exchange.wait().content, "one two");
    Probe limited{router, {}, {.pause = 1h}};
    auto cut = limited.open("GET", "/");
    limited.advance(59min);
    EXPECT_FALSE(cut.answer().is_complete);
    limited.advance(1min);
    EXPECT_EQ(cut.wait().content, "one ");
    EXPECT_FALSE(cut.wait().is_complete);
}

TEST_F(Streams, ThatThrowAreIncomplete) {
    streams([](Stream out) -> Task<> {
        co_await out.write("part");
        throw std::runtime_error{"no"};
    });
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(exchange.wait().content, "part");
    EXPECT_FALSE(exchange.wait().is_complete);
}

TEST_F(Streams, MayBeMovedByTheirCoroutine) {
    streams([](Stream out) -> Task<> {
        const auto give = [](Stream own) -> Task<> { co_await own.write("moved"); };
        co_await give(std::move(out));
    });
    EXPECT_EQ(probe.get("/").content, "moved");
}

TEST_F(Streams, EndWhereTheyWaitWhenThePeerLeaves) {
    int alive = 0;
    struct Local {
        int& count;
        explicit Local(int& of) : count{of} { ++count; }
        Local(const Local&) = delete;
        ~Local() { --count; }
    };
    streams([&](Stream out) -> Task<> {
        const Local local{alive};
        for (;;) {
            co_await out.write("tick");
            co_await sleep_for(1s);
        }
    });
    for (int steps = 0; steps < 4; ++steps) {
        auto exchange = probe.open("GET", "/");
        EXPECT_EQ(alive, 1);
        probe.advance(std::chrono::seconds{steps});
        exchange.leave();
        EXPECT_EQ(alive, 0);
    }
    auto blocked = probe.open_blocked("GET", "/");
    blocked.leave();
    EXPECT_EQ(alive, 0);
}

TEST_F(Streams, KeepWhatOffloadedWorkUsesUntilItHasFinished) {
    Workers workers{1};
    std::latch begun{1};
    std::latch may_end{1};
    std::latch ended{1};
    auto captured = std::make_shared<std::string>("captured");
    const std::weak_ptr<std::string> watched = captured;
    std::string seen;
    router.get("/", [&, captured](const Call& call) {
        return stream(call, "text/plain", [&, captured](Stream) -> Task<> {
            co_await offload(workers, [&] {  // captures a reference to what the stream's lambda has
                begun.count_down();
                may_end.wait();
                seen = *captured;
                ended.count_down();
            });
        });
    });
    captured.reset();
    {
        auto exchange = probe.open("GET", "/");
        begun.wait();
        exchange.leave();
    }
    EXPECT_FALSE(watched.expired());
    may_end.count_down();
    ended.wait();
    EXPECT_EQ(seen, "captured");
}

TEST_F(Streams, AnswerTheRequestOfACoroutine) {
    router.get("/", [](Call call) -> Task<Response> {
        co_await sleep_for(1s);
        co_return stream(call, "text/plain",
                         [](Stream out) -> Task<> { co_await out.write("after a while"); });
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(1s);
    EXPECT_EQ(exchange.wait().content, "after a while");
}

TEST_F(Streams, CallbacksAreToldWhatWasTaken) {
    keeps_streams();
    auto exchange = probe.open("GET", "/");
    ASSERT_EQ(kept.size(), 1u);
    kept[0].write("one ", note("one"));
    kept[0].write(std::string(100'000, 'x'), note("two"));
    EXPECT_EQ(told, std::vector<std::string>{});
    EXPECT_EQ(exchange.answer().content.size(), 100'004u);
    EXPECT_EQ(told, (std::vector<std::string>{"one+", "two+"}));
    kept[0].end();
    EXPECT_TRUE(exchange.wait().is_complete);
    kept[0].write("late", note("late"));
    EXPECT_EQ(told.back(), "late-");
}

TEST_F(Streams, CallbacksAreToldWhenThePeerHasGone) {
    keeps_streams();
    auto exchange = probe.open("GET", "/");
    exchange.take(false);
    kept[0].write("one", note("one"));
    kept[0].write("two", note("two"));
    exchange.answer();
    EXPECT_FALSE(kept[0].stop_token().stop_requested());
    exchange.leave();
    EXPECT_TRUE(kept[0].stop_token().stop_requested());
    EXPECT_EQ(told, (std::vector<std::string>{"one-", "two-"}));
    kept[0].write("three", note("three"));
    EXPECT_EQ(told.back(), "three-");
}

TEST_F(Streams, DroppedUnendedAreIncomplete) {
    keeps_streams();
    auto exchange = probe.open("GET", "/");
    kept[0].write("part", note("part"));
    kept.clear();
    const auto answer = exchange.wait();
    EXPECT_EQ(answer.content, "part");
    EXPECT_FALSE(answer.is_complete);
}

TEST_F(Streams, HaveTheSizeThatIsKnown) {
    bool has_returned = false;
    router.get("/", [&](const Call& call) {
        const auto give = [&](Stream out) -> Task<> {
            co_await out.write("one ");
            co_await sleep_for(1s);
            co_await out.write("two");
            has_returned = true;
        };
        return stream(call, "text/plain", give, {.status = Status::accepted, .size = 7});
    });
    EXPECT_EQ(probe.ask("HEAD", "/").field("Content-Length"), "7");
    auto exchange = probe.open("GET", "/");
    EXPECT_EQ(exchange.answer().content, "one ");
    probe.advance(1s);
    const auto answer = exchange.answer();
    EXPECT_EQ(answer.status, 202u);
    EXPECT_EQ(answer.field("Content-Length"), "7");
    EXPECT_EQ(answer.field("Transfer-Encoding"), "");
    EXPECT_EQ(answer.content, "one two");
    EXPECT_TRUE(has_returned) << "the last write() returns as any other";
    EXPECT_TRUE(probe.failures().empty());
}

TEST_F(Streams, OfAnotherSizeThanTheyTellAreFailures) {
    for (const std::string_view written : {"two", "three", "twotwo"}) {
        Router other;
        other.get("/", [&](const Call& call) {
            const auto give = [&](Stream out) -> Task<> {
                co_await out.write(written.substr(0, 3));
                co_await out.write(written.substr(3));
            };
            return stream(call, "text/plain", give, {.size = 4});
        });
        Probe of_other{other};
        EXPECT_FALSE(of_other.get("/").is_complete);
        ASSERT_EQ(of_other.failures().size(), 1u);
        const std::string_view more_or_fewer = written.size() < 4 ? "fewer" : "more";
        EXPECT_NE(of_other.failures()[0].find(more_or_fewer), std::string::npos)
            << of_other.failures()[0];
    }
}

TEST_F(Streams, WithASizeTellTheirCallbacks) {
    router.get("/", [this](const Call& call) {
        const auto give = [this](Stream out) { kept.push_back(std::move(out)); };
        return stream(call, "text/plain", give, {.size = 2});
    });
    auto exchange = probe.open("GET", "/");
    kept[0].write("a", note("a"));
    kept[0].write("b", note("b"));
    EXPECT_TRUE(exchange.answer().is_complete);
    EXPECT_EQ(told, (std::vector<std::string>{"a+", "b+"}));
    kept[0].end();
    kept.clear();
    EXPECT_TRUE(probe.failures().empty());
}

TEST_F(Streams, AreWrittenFromOtherThreads) {
    std::vector<std::jthread> threads;
    streams([&](Stream out) {
        threads.emplace_back([out = std::move(out)]() mutable {
            for (int i = 0; i < 1000; ++i) out.write("x", [](bool) {});
            out.end();
        });
    });
    EXPECT_EQ(probe.get("/").content, std::string(1000, 'x'));
}

TEST_F(Streams, TellCallbacksOfTheStop) {
    keeps_streams();
    auto exchange = probe.open("GET", "/");
    const std::stop_token token = kept.at(0).stopping_token();
    EXPECT_FALSE(token.stop_requested());
    const std::stop_callback last{token, [&] {
                                      kept.at(0).write("the last piece", note("last"));
                                      kept.at(0).end();
                                  }};
    exchange.stop_server();
    const auto answer = exchange.wait();
    EXPECT_TRUE(answer.is_complete);
    EXPECT_EQ(answer.content, "the last piece");
    EXPECT_EQ(told, std::vector<std::string>{"last+"});
    EXPECT_TRUE(kept.at(0).stopping_token().stop_requested());
}

TEST_F(Streams, TellLateCallbacksOfTheStopAtOnce) {
    keeps_streams();
    auto exchange = probe.open("GET", "/");
    exchange.stop_server();
    EXPECT_TRUE(kept.at(0).stopping_token().stop_requested());
    kept.at(0).end();
    EXPECT_TRUE(exchange.wait().is_complete);
}

TEST_F(Streams, TellCallbacksOfTheEnd) {
    keeps_streams();
    std::optional<Probe::Exchange> exchange = probe.open("GET", "/");
    const std::stop_token token = kept.at(0).stopping_token();
    exchange.reset();
    EXPECT_TRUE(token.stop_requested());
    EXPECT_TRUE(kept.at(0).stopping_token().stop_requested()) << "asked later";
}

TEST_F(Streams, TellOtherThreadsOfTheStop) {
    keeps_streams();
    auto exchange = probe.open("GET", "/");
    std::jthread producer{[&] {
        const std::stop_token token = kept.at(0).stopping_token();
        std::atomic<bool> is_over = false;
        const std::stop_callback note_over{token, [&] {
                                               is_over = true;
                                               is_over.notify_one();
                                           }};
        is_over.wait(false);
        kept.at(0).write("over", [](bool) {});
        kept.at(0).end();
    }};
    exchange.stop_server();
    EXPECT_EQ(exchange.wait().content, "over");
}

}  // namespace
}  // namespace weir::web
