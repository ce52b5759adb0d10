// Messages for all who subscribe to a topic: sockets, and streams of events.

#include "weir/web/topics.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/websocket_frames.h"
#include "weir/web/probe.h"
#include "weir/web/router.h"

namespace weir::web {
namespace {

using namespace std::chrono_literals;
namespace frames = tests::websocket;

constexpr std::size_t queue_bytes = 10'000;

struct Subscribers : ::testing::Test {
    Subscribers() {
        const auto listen = [this](WebSocket socket) -> Task<> {
            const auto subscription = topics.subscribe("news", socket.sender());
            senders.push_back(socket.sender());
            while (co_await socket.receive()) {}
        };
        router.get("/socket", websocket(listen, {.queue_bytes_max = queue_bytes}));
        router.get("/events", [this](const Call& call) {
            const auto give = [this](Events out) -> Task<> {
                const auto subscription = topics.subscribe("news", out);
                co_await out.stopping();
                ADD_FAILURE() << "events end where they wait";
            };
            return events(call, give, {.queue_bytes_max = queue_bytes});
        });
    }
    Probe::Exchange open() { return probe.open("GET", "/socket", frames::opening()); }
    Probe::Exchange open_events() { return probe.open("GET", "/events"); }
    static std::string got(Probe::Exchange& exchange) {
        return frames::shown(exchange.answer().content);
    }
    /// Publishes numbers of 1,000 bytes each, until the reader's queue is full. Returns their count.
    int fill(Probe::Exchange& reader) {
        reader.take(false);
        int count = 0;
        while (topics.publish("news", numbered(count)) != 0 && count < 100) ++count;
        return count;
    }
    static std::string numbered(int number) {
        std::string text = std::to_string(number);
        return text += std::string(1000 - text.size(), '.');
    }

    Topics topics;
    std::vector<WebSocketSender> senders;
    Router router;
    Probe probe{router};
};

TEST_F(Subscribers, GetTheMessagesOfTheirTopic) {
    auto one = open();
    auto two = open();
    EXPECT_EQ(topics.subscribers("news"), 2U);
    EXPECT_EQ(topics.publish("news", "first"), 2U);
    EXPECT_EQ(topics.publish("weather", "rain"), 0U);
    EXPECT_EQ(topics.publish("news", "\x01", MessageKind::binary), 2U);
    EXPECT_EQ(topics.publish("news", std::string(70'000, 'x')), 0U) << "larger than the queues";
    EXPECT_EQ(got(one), "text:first binary:\x01 close:1013");
    EXPECT_EQ(got(two), "text:first binary:\x01 close:1013");
}

TEST_F(Subscribers, GetMessagesOfEveryLengthForm) {
    auto exchange = open();
    for (const std::size_t size : {0, 125, 126, 9'000})
        EXPECT_EQ(topics.publish("news", std::string(size, 'x')), 1U);
    EXPECT_EQ(got(exchange), "text: text#125 text#126 text#9000");
}

TEST_F(Subscribers, LeaveWithTheirCoroutine) {
    {
        auto exchange = open();
        exchange.send(frames::close());
        exchange.answer();
        EXPECT_EQ(topics.subscribers("news"), 0U);
        EXPECT_EQ(topics.publish("news", "too late"), 0U);
    }
    auto gone = open();
    EXPECT_EQ(topics.subscribers("news"), 1U);
    gone.leave();
    EXPECT_EQ(topics.subscribers("news"), 0U);
}

TEST_F(Subscribers, MoveAndEndTheirSubscriptions) {
    auto exchange = open();
    Subscription none;
    none.end();
    auto first = topics.subscribe("a", senders[0]);
    Subscription moved{std::move(first)};
    EXPECT_EQ(topics.publish("a", "a"), 1U);
    moved = topics.subscribe("b", senders[0]);
    EXPECT_EQ(topics.subscribers("a"), 0U);
    EXPECT_EQ(topics.publish("b", "b"), 1U);
    auto again = topics.subscribe("b", senders[0]);
    EXPECT_EQ(topics.publish("b", "twice"), 2U);
    moved.end();
    moved.end();
    EXPECT_EQ(topics.publish("b", "once"), 1U);
    EXPECT_EQ(got(exchange), "text:a text:b text:twice text:twice text:once");
}

TEST_F(Subscribers, MayOutliveTheirTopicsAndTheirSocket) {
    std::optional<Subscription> kept;
    {
        auto exchange = open();
        Topics others;
        kept = others.subscribe("short", senders[0]);
        const Topics same = others;
        EXPECT_EQ(same.publish("short", "x"), 1U) << "copies are the same";
        kept = same.subscribe("short", senders[0]);
    }
    const auto of_a_socket_that_ended = topics.subscribe("news", senders[0]);
    EXPECT_EQ(topics.subscribers("news"), 1U);
    EXPECT_EQ(topics.publish("news", "x"), 0U);
    kept.reset();
}

TEST_F(Subscribers, CloseWhenTheyReadTooSlowly) {
    auto slow = open();
    auto other = open();
    slow.take(false);
    int both = 0;
    while (topics.publish("news", numbered(both)) == 2) {
        ++both;
        other.answer();
    }
    EXPECT_GE(both, 8);
    EXPECT_LE(both, 10);
    EXPECT_EQ(topics.publish("news", "go on"), 1U);
    EXPECT_TRUE(got(other).ends_with("text:go on"));
    slow.take(true);
    EXPECT_TRUE(got(slow).ends_with("text#1000 close:1013"));
}

TEST_F(Subscribers, MayLoseTheOldestMessagesInstead) {
    topics = Topics{{.slow_reader = CloseCode::none}};
    auto exchange = open();
    exchange.take(false);
    EXPECT_TRUE(senders[0].send("not of a topic"));
    for (int i = 0; i < 30; ++i) EXPECT_EQ(topics.publish("news", numbered(i)), 1U) << i;
    EXPECT_EQ(topics.publish("news", std::string(queue_bytes, 'x')), 0U) << "larger than the queue";
    EXPECT_TRUE(senders[0].send("last"));
    exchange.take(true);
    const std::string bytes = exchange.answer().content;
    const std::string shown = frames::shown(bytes);
    EXPECT_TRUE(shown.starts_with("text:not of a topic text#1000")) << shown;
    EXPECT_TRUE(shown.ends_with("text#1000 text:last")) << shown;
    EXPECT_EQ(bytes.find("0..."), bytes.npos) << "the first number";
    EXPECT_NE(bytes.find("29..."), bytes.npos);
    EXPECT_EQ(topics.publish("news", "again"), 1U);
}

TEST_F(Subscribers, KeepWhatWasSentToThemAloneHoweverFullTheQueueIs) {
    topics = Topics{{.slow_reader = CloseCode::none}};
    auto exchange = open();
    exchange.take(false);
    while (senders[0].send(numbered(0))) {}
    EXPECT_EQ(topics.publish("news", numbered(1)), 0U);
    exchange.take(true);
    EXPECT_EQ(exchange.answer().content.find("1..."), std::string::npos);
}

TEST_F(Subscribers, AreStreamsOfEventsToo) {
    auto socket = open();
    auto stream = open_events();
    EXPECT_EQ(topics.publish("news", "a\nb"), 2U);
    EXPECT_EQ(topics.publish("news", {.data = "c", .name = "tick", .id = "7", .retry = 1s}), 2U);
    EXPECT_EQ(topics.publish("news", "\x01", MessageKind::binary), 1U);
    EXPECT_EQ(got(socket), "text:a\nb text:c binary:\x01");
    EXPECT_EQ(stream.wait_for("data: c").content,
              "data: a\ndata: b\n\n"
              "event: tick\nid: 7\nretry: 1000\ndata: c\n\n");
    EXPECT_THROW(topics.publish("nobody", {.data = "x", .id = "1\n2"}), std::invalid_argument);
}

TEST_F(Subscribers, EndTheirEventsWhenTheyReadTooSlowly) {
    auto stream = open_events();
    const int count = fill(stream);
    EXPECT_GE(count, 8);
    EXPECT_LE(count, 10);
    stream.take(true);
    const auto answer = stream.wait();
    EXPECT_TRUE(answer.is_complete) << "so that the browser connects again";
    EXPECT_EQ(answer.content.size(), static_cast<std::size_t>(count) * 1008);
    EXPECT_EQ(topics.subscribers("news"), 0U);
}

TEST_F(Subscribers, MayLoseTheOldestEventsInstead) {
    topics = Topics{{.slow_reader = CloseCode::none}};
    auto stream = open_events();
    EXPECT_EQ(fill(stream), 100);
    stream.take(true);
    const auto content = stream.wait_for("99...").content;
    EXPECT_EQ(content.find("data: 0..."), content.npos);
    EXPECT_EQ(content.size() % 1008, 0U) << "whole events";
}

TEST_F(Subscribers, EndWithTheServer) {
    auto stream = open_events();
    topics.publish("news", "last");
    stream.stop_server();
    const auto answer = stream.wait();
    EXPECT_TRUE(answer.is_complete);
    EXPECT_EQ(answer.content, "data: last\n\n");
    EXPECT_EQ(topics.subscribers("news"), 0U);
}

TEST(EventsOfTopics, AreWholeBetweenOthers) {
    Topics topics;
    Router router;
    std::vector<Events> kept;
    router.get("/", [&](const Call& call) {
        return events(call, [&](Events out) { kept.push_back(std::move(out)); });
    });
    Probe probe{router};
    auto exchange = probe.open_blocked("GET", "/");
    exchange.take(true);
    auto subscription = topics.subscribe("t", kept[0]);
    exchange.take(false);
    const std::string large(200'000, 'l');
    std::string expected;
    for (const char each : {'a', 'b', 'c'}) {
        EXPECT_EQ(topics.publish("t", large + each), 1U);
        kept[0].send({.data = std::string(5, each)}, [](bool) {});
        exchange.answer();
    }
    kept[0].end();
    EXPECT_EQ(topics.publish("t", "too late"), 0U);
    exchange.take(true);
    std::string content = exchange.wait().content;
    for (const char each : {'a', 'b', 'c'}) {
        for (const std::string& text : {large + each, std::string(5, each)}) {
            const std::string event = "data: " + text + "\n\n";
            const auto at = content.find(event);
            ASSERT_NE(at, content.npos) << each;
            content.erase(at, event.size());
        }
    }
    EXPECT_EQ(content, "");
}

TEST(TopicsOfThreads, HaveOneOrderForAll) {
    Topics topics{{.slow_reader = CloseCode::none}};
    Router router;
    std::vector<WebSocketSender> senders;
    router.get("/", websocket([&](WebSocket socket) -> Task<> {
                   const auto subscription = topics.subscribe("t", socket.sender());
                   senders.push_back(socket.sender());
                   while (co_await socket.receive()) {}
               }));
    Probe probe{router};
    auto one = probe.open("GET", "/", frames::opening());
    auto two = probe.open("GET", "/", frames::opening());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int n = 0; n < 500; ++n) {
                const auto other = topics.subscribe("other", senders[0]);
                const auto more = topics.subscribe(std::to_string(n), senders[1]);
                topics.publish("t", std::to_string(i) + ":" + std::to_string(n));
            }
        });
    while (topics.subscribers("t") == 2 && one.answer().content.size() < 10'000) two.answer();
    for (auto& thread : threads) thread.join();
    const std::string all = frames::shown(one.answer().content);
    EXPECT_EQ(all, frames::shown(two.answer().content));
    EXPECT_NE(all.find("text:3:499"), all.npos);
    EXPECT_EQ(topics.subscribers("other"), 0U);
}

TEST(TopicOptions, RefuseACodeThatMayNotBeSent) {
    EXPECT_THROW(Topics{{.slow_reader = CloseCode::lost}}, std::invalid_argument);
    EXPECT_NO_THROW(Topics{{.slow_reader = static_cast<CloseCode>(4000)}});
}

}  // namespace
}  // namespace weir::web
