// Where there is no room for more, a connection whose peer would lose nothing is evicted.

#include <utility>
#include <vector>

#include "contract/contract.h"
#include "net/descriptors.h"
#include "support/process.h"

namespace weir::tests {
namespace {

constexpr milliseconds longer_than_any_grace{500};

struct Eviction : Contract {
    void SetUp() override {
        Contract::SetUp();
        // One share of the limit for all: processes and their loops would have parts of it.
        if (nature_of(engine()).worker_serves_one_at_a_time.empty()) options.engine.workers = 1;
        options.engine.connections_max = 2;
    }
    /// Whoever waits for one connection alone doesn't know how long the others have waited.
    bool knows_the_order() const {
        return engine().forks != engines::Process::connection &&
               nature_of(engine()).worker_serves_one_at_a_time.empty() &&
               engine().name != "thread-per-connection";
    }
    /// So that one of two was there before the other, also by a clock that ticks.
    void let_time_pass(Client& client) {
        client.await_arrival();
        if (nature_of(engine()).never_sleeps.empty()) {
            EXPECT_TRUE(other_threads_sleep());  // on a busy machine, it might accept both at once
        }
        EXPECT_FALSE(client.readable_within(short_time));
    }

    struct Three {
        Client one;
        Client two;
        Client waiting;
    };
    /// Two have requests under way; a third is not let in, however long it waits.
    Three one_that_waits_in_vain() {
        auto one = client();
        one.send(post_head("/echo", 5));
        auto two = client();
        two.send(get("/gated"));
        two.answer_head();
        auto waiting = client();
        waiting.send(get("/hello"));
        EXPECT_FALSE(waiting.readable_within(longer_than_any_grace));
        return {std::move(one), std::move(two), std::move(waiting)};
    }

    /// The first of two is to be the one that has gone, and the other is to be there. Where nobody
    /// knows the order, it may be the other way around.
    void expect_gone(Client*& gone, Client*& there) {
        if (!knows_the_order() && !gone->readable_within(short_time)) std::swap(gone, there);
        EXPECT_EQ(gone->ending(), Ending::closed);
        EXPECT_FALSE(there->readable_within(milliseconds{0}));
    }
};
WEIR_OVER_EVERY_ENGINE(Eviction);

TEST_P(Eviction, IdleForLongestToOneThatWaits) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    auto one = client();
    one.ask(get("/hello"));
    auto two = client();
    let_time_pass(two);
    two.ask(get("/hello"));
    auto waiting = client();
    EXPECT_EQ(waiting.ask(get("/hello")).content, "hello\n");
    Client *gone = &one, *there = &two;
    expect_gone(gone, there);
    EXPECT_EQ(there->ask(get("/hello")).content, "hello\n");
}

TEST_P(Eviction, NewestUnfinishedToOneThatWaits) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    auto one = client();
    one.send("GET /hello HTTP/1.1\r\n");
    let_time_pass(one);
    auto two = client();
    two.send("GET /hello HTTP/1.1\r\n");
    EXPECT_FALSE(two.readable_within(longer_than_any_grace));  // which a new one has
    auto waiting = client();
    EXPECT_EQ(waiting.ask(get("/hello")).content, "hello\n");
    Client *gone = &two, *there = &one;
    expect_gone(gone, there);
    there->send("Host: weir.test\r\n\r\n");
    EXPECT_EQ(there->answer().content, "hello\n");
}

TEST_P(Eviction, NobodyWhoseRequestIsUnderWay) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    auto [one, two, waiting] = one_that_waits_in_vain();
    one.send("whole");
    EXPECT_EQ(one.answer().content, "whole");
    EXPECT_EQ(waiting.answer().content, "hello\n");
    handler.gate.open();
}

TEST_P(Eviction, NobodyOnceAllThatWaitedWereLetIn) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    auto [one, two, waiting] = one_that_waits_in_vain();
    one.reset();
    EXPECT_EQ(waiting.answer().content, "hello\n");
    EXPECT_FALSE(waiting.readable_within(longer_than_any_grace));  // and is needed no more
    EXPECT_EQ(waiting.ask(get("/hello")).content, "hello\n");
    handler.gate.open();
}

TEST_P(Eviction, IdleOnesToFiles) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    if (engine().forks)
        GTEST_SKIP() << engine().name << ": the test can't open files in its processes";
    if (const auto reason = nature_of(engine()).never_sleeps; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason << " while the test opens files";
    options.engine.connections_max = 0;
    auto busy = client();
    busy.ask(get("/hello"));
    std::vector<Client> idle;
    for (int i = 0; i < 5; ++i) {
        idle.push_back(client());
        idle.back().ask(get("/hello"));
    }
    let_time_pass(busy);
    busy.ask(get("/hello"));
    net::Descriptors& descriptors = net::descriptors();
    std::vector<net::FileShare> files;
    while (descriptors.missing() < idle.size()) ASSERT_TRUE(files.emplace_back().take());
    // The engine looks when somebody has sent something.
    for (auto& each : idle) {
        while (!each.readable_within(milliseconds{10}))
            ASSERT_EQ(busy.ask(get("/hello")).content, "hello\n");
        EXPECT_EQ(each.ending(), Ending::closed);
    }
    files.clear();
    EXPECT_EQ(busy.ask(get("/hello")).content, "hello\n");
}

TEST_P(Eviction, NobodyToFilesThatAreClosed) {
    WEIR_NEEDS_CONNECTIONS_SIDE_BY_SIDE();
    if (engine().forks)
        GTEST_SKIP() << engine().name << ": the test can't open files in its processes";
    options.engine.connections_max = 0;
    const std::string begin = post_head("/echo", 5, "Expect: 100-continue\r\n");
    auto busy = client();  // it is never idle while files are short
    busy.send(begin);
    EXPECT_EQ(busy.answer().status, 100);
    std::vector<net::FileShare> files;
    while (net::descriptors().missing() == 0) ASSERT_TRUE(files.emplace_back().take());
    busy.send("first" + begin);
    EXPECT_EQ(busy.answer().content, "first");  // room was asked for
    EXPECT_EQ(busy.answer().status, 100);
    files.clear();
    busy.send("whole");
    EXPECT_EQ(busy.answer().content, "whole");
    EXPECT_FALSE(busy.readable_within(longer_than_any_grace));  // and is needed no more
    EXPECT_EQ(busy.ask(get("/hello")).content, "hello\n");
}

}  // namespace
}  // namespace weir::tests
