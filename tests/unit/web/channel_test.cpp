#include "weir/web/channel.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "weir/web/flag.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"
#include "weir/web/together.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;

struct Channels : ::testing::Test {
    Channel<std::string> channel{2};
    Router router;
    Probe probe{router};

    Channels() {
        router.get("/receive", [this](Call) -> Task<Response> {
            const auto value = co_await channel.receive();
            co_return text(value.value_or("closed"));
        });
        router.get("/send/{value}", [this](Call call) -> Task<Response> {
            const bool is_sent = co_await channel.send(std::string{call.parameter("value")});
            co_return text(is_sent ? "sent" : "closed");
        });
    }
};

TEST_F(Channels, KeepValuesInTheirOrder) {
    EXPECT_TRUE(channel.try_send("1"));
    EXPECT_TRUE(channel.try_send("2"));
    EXPECT_FALSE(channel.try_send("3"));
    auto third = probe.open("GET", "/send/3");
    auto fourth = probe.open("GET", "/send/4");
    EXPECT_FALSE(third.answer().is_complete);
    EXPECT_EQ(probe.get("/receive").content, "1");
    EXPECT_EQ(third.wait().content, "sent");
    EXPECT_FALSE(fourth.answer().is_complete);
    EXPECT_EQ(channel.try_receive(), "2");
    EXPECT_EQ(fourth.wait().content, "sent");
    EXPECT_EQ(channel.try_receive(), "3");
    EXPECT_EQ(channel.try_receive(), "4");
    EXPECT_EQ(channel.try_receive(), std::nullopt);
}

TEST_F(Channels, ServeReceiversInTheirOrder) {
    std::vector<Probe::Exchange> exchanges;
    for (int i = 0; i < 3; ++i) exchanges.push_back(probe.open("GET", "/receive"));
    exchanges[1].leave();
    EXPECT_TRUE(channel.try_send("1"));
    EXPECT_TRUE(channel.try_send("2"));
    EXPECT_EQ(channel.try_receive(), std::nullopt);  // both are promised
    EXPECT_EQ(exchanges[0].wait().content, "1");
    EXPECT_EQ(exchanges[2].wait().content, "2");
}

TEST_F(Channels, ServeThoseThatComeAfterTheLastHasLeft) {
    auto first = probe.open("GET", "/receive");
    auto second = probe.open("GET", "/receive");
    second.leave();
    auto third = probe.open("GET", "/receive");
    EXPECT_TRUE(channel.try_send("1"));
    EXPECT_TRUE(channel.try_send("2"));
    EXPECT_EQ(first.wait().content, "1");
    EXPECT_EQ(third.wait().content, "2");
}

TEST_F(Channels, PassOnWhatAReceiverDoesNotTake) {
    auto first = probe.open("GET", "/receive");
    auto second = probe.open("GET", "/receive");
    EXPECT_TRUE(channel.try_send("1"));
    first.leave();  // it was woken, and has not run since
    EXPECT_EQ(second.wait().content, "1");
}

TEST_F(Channels, LoseNothingToATimeout) {
    router.get("/", [this](Call) -> Task<Response> {
        const auto first = co_await when_any(sleep_for(1s), channel.receive());
        co_return text(std::to_string(first.index()));
    });
    auto exchange = probe.open("GET", "/");
    probe.advance(1s);
    EXPECT_EQ(exchange.answer().content, "0");
    EXPECT_TRUE(channel.try_send("1"));
    EXPECT_EQ(channel.try_receive(), "1");
}

TEST_F(Channels, TakeBackWhatIsNotSent) {
    EXPECT_TRUE(channel.try_send("1"));
    EXPECT_TRUE(channel.try_send("2"));
    auto third = probe.open("GET", "/send/3");
    auto fourth = probe.open("GET", "/send/4");
    third.leave();
    EXPECT_EQ(channel.try_receive(), "1");
    EXPECT_EQ(channel.try_receive(), "2");
    EXPECT_EQ(channel.try_receive(), "4");
}

TEST_F(Channels, CloseAfterWhatWasSent) {
    EXPECT_TRUE(channel.try_send("1"));
    EXPECT_TRUE(channel.try_send("2"));
    auto third = probe.open("GET", "/send/3");
    channel.close();
    EXPECT_EQ(third.wait().content, "closed");
    EXPECT_EQ(probe.get("/send/4").content, "closed");
    EXPECT_FALSE(channel.try_send("5"));
    EXPECT_EQ(probe.get("/receive").content, "1");
    EXPECT_EQ(probe.get("/receive").content, "2");
    EXPECT_EQ(probe.get("/receive").content, "closed");
    Channel<int> numbers{1};
    router.get("/number", [numbers](Call) -> Task<Response> {
        const auto value = co_await numbers.receive();
        co_return text(value ? "value" : "closed");
    });
    auto waits = probe.open("GET", "/number");
    numbers.close();
    EXPECT_EQ(waits.wait().content, "closed");
}

TEST_F(Channels, HaveRoom) { EXPECT_THROW(Channel<int>{0}, std::invalid_argument); }

TEST_F(Channels, MoveTheirValues) {
    const Channel<std::unique_ptr<int>> pointers{1};
    router.get("/pointer", [pointers](Call) -> Task<Response> {
        co_await pointers.send(std::make_unique<int>(7));
        const auto got = co_await pointers.receive();
        co_return text(std::to_string(**got));
    });
    EXPECT_EQ(probe.get("/pointer").content, "7");
}

TEST_F(Channels, ConnectThreads) {
    constexpr int count = 2000;
    const Channel<int> numbers{3};
    router.get("/sum", [numbers](Call) -> Task<Response> {
        long sum = 0;
        while (const auto value = co_await numbers.receive()) sum += *value;
        co_return text(std::to_string(sum));
    });
    auto exchange = probe.open("GET", "/sum");
    auto other = probe.open("GET", "/sum");
    const auto send_all = [numbers] {
        for (int i = 1; i <= count; ++i)
            while (!numbers.try_send(i)) std::this_thread::yield();
    };
    std::thread first{send_all};
    std::thread second{send_all};
    std::thread closer{[&] {
        first.join();
        second.join();
        numbers.close();
    }};
    const long sum = std::stol(exchange.wait().content) + std::stol(other.wait().content);
    closer.join();
    EXPECT_EQ(sum, 2L * count * (count + 1) / 2);
}

TEST(Flags, WakeAllThatWait) {
    const Flag flag;
    std::string order;
    Router router;
    router.get("/{name}", [&](Call call) -> Task<Response> {
        co_await flag.wait();
        order += call.parameter("name");
        co_return text("went on");
    });
    Probe probe{router};
    auto first = probe.open("GET", "/1");
    auto second = probe.open("GET", "/2");
    auto third = probe.open("GET", "/3");
    second.leave();
    EXPECT_FALSE(flag.is_set());
    std::thread{[copy = flag] { copy.set(); }}.join();
    EXPECT_TRUE(flag.is_set());
    EXPECT_EQ(first.wait().content, "went on");
    EXPECT_EQ(third.wait().content, "went on");
    EXPECT_EQ(probe.get("/4").content, "went on");
    EXPECT_EQ(order, "134");
}

}  // namespace
}  // namespace weir::web
