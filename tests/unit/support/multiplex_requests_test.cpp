// The multiplexing test protocol: requests, their content, and what they may hold.

#include "multiplex_driver.h"

namespace weir::tests::multiplex {
namespace {

using http::Step;

TEST(MultiplexRequests, AreHandledWhileOthersAwaitTheirReplies) {
    Driver driver{later};
    for (int i = 0; i < 64; ++i) driver.request("/" + std::to_string(i));
    EXPECT_EQ(driver.handled.size(), 64u);
    EXPECT_EQ(driver.step(), Step::receive);
    for (std::uint32_t id = 64; id > 0; --id) driver.respond(id, text("to " + std::to_string(id)));
    EXPECT_EQ(driver.peer.over().size(), 64u);
    EXPECT_EQ(driver.peer.over().front(), 64u);
    EXPECT_EQ(driver.stream(7).content, "to 7");
}

TEST(MultiplexRequests, SeveralMayBeTakenBeforeAnyIsAnswered) {
    Driver driver{hello};
    driver.handles = false;
    driver.receive(all({driver.peer.request("/a"), driver.peer.request("/b")}));
    ASSERT_EQ(driver.step(), Step::handle);
    const auto a = driver.connection->take_request().share();
    ASSERT_EQ(driver.step(), Step::handle);
    const auto b = driver.connection->take_request().share();
    EXPECT_EQ(driver.step(), Step::receive);
    EXPECT_EQ(a->target(), "/a");
    EXPECT_EQ(b->target(), "/b");
    EXPECT_TRUE(driver.connection->awaits(a->id()));
    driver.respond(b->id(), text("b"));
    driver.respond(a->id(), text("a"));
    EXPECT_EQ(driver.stream(1).content, "a");
    EXPECT_EQ(driver.stream(2).content, "b");
}

TEST(MultiplexRequests, HoweverTheInputIsCut) {
    for (std::size_t piece = 1; piece < 40; ++piece) {
        Driver driver{[](const http::Request& request) -> http::Reply {
            if (request.content_pending()) return http::ReadContent{};
            return text(std::string{request.target()} + std::string{request.content()});
        }};
        driver.cut_input(piece);
        driver.receive(
            all({driver.peer.request("/a"), driver.peer.request("/b", FrameType::upload),
                 driver.peer.request("/c"), driver.peer.data(2, "one"), driver.peer.data(2, "two"),
                 frame(FrameType::end, 2), driver.peer.request("/d")}));
        EXPECT_EQ(driver.stream(1).content, "/a");
        EXPECT_EQ(driver.stream(2).content, "/bonetwo");
        EXPECT_EQ(driver.stream(3).content, "/c");
        EXPECT_EQ(driver.stream(4).content, "/d");
    }
}

TEST(MultiplexRequests, PastTheBoundAreNotTaken) {
    Driver driver{later, {.requests = 2}};
    driver.receive(
        all({driver.peer.request("/a"), driver.peer.request("/b"), driver.peer.request("/c")}));
    EXPECT_EQ(driver.handled.size(), 2u);
    EXPECT_EQ(driver.step(), Step::wait);
    driver.respond(2, text(""));
    EXPECT_EQ(driver.handled.size(), 3u);
    EXPECT_EQ(driver.step(), Step::wait);
}

TEST(MultiplexRequests, ThatWereCanceledCountUntilTheirReplyCame) {
    Driver driver{later, {.requests = 2}};
    driver.request("/a");
    driver.receive(driver.peer.cancel(1));
    EXPECT_FALSE(driver.connection->awaits(1));
    driver.receive(all({driver.peer.request("/b"), driver.peer.request("/c")}));
    EXPECT_EQ(driver.handled.size(), 2u);
    EXPECT_EQ(driver.step(), Step::wait);
    driver.respond(1, text("for nobody"));
    EXPECT_EQ(driver.handled.size(), 3u);
    EXPECT_EQ(driver.stream(1).status, 0);
}

TEST(MultiplexRequests, ThatWereCanceledBeforeTheyWereTakenNeverAre) {
    Driver driver{hello};
    driver.handles = false;
    driver.receive(all({driver.peer.request("/a"), driver.peer.cancel(1)}));
    EXPECT_EQ(driver.step(), Step::receive);
    ASSERT_EQ(driver.answered_targets.size(), 1u);
    EXPECT_EQ(driver.answered_targets[0].second, http::Outcome::peer_gone);
}

TEST(MultiplexRequests, PastTheBoundOnStreamsAreRefused) {
    Driver driver{later, {.streams = 2}};
    for (int i = 0; i < 3; ++i) driver.request("/");
    EXPECT_EQ(driver.stream(3).refused, "too many streams");
    driver.respond(1, text(""));
    driver.request("/");
    EXPECT_EQ(driver.handled.size(), 3u);
}

TEST(MultiplexRequests, ArriveWhileTheOutputIsNotTaken) {
    Driver driver{[](const http::Request& request) -> http::Reply {
        return request.target() == "/big" ? text(pattern(0, 60'000)) : text("small");
    }};
    driver.takes_output = false;
    driver.request("/big");
    ASSERT_EQ(driver.step(), Step::exchange);
    for (int i = 0; i < 20; ++i) driver.request("/small");
    EXPECT_EQ(driver.handled.size(), 21u);
    driver.takes_output = true;
    driver.drive();
    EXPECT_EQ(driver.stream(1).content, pattern(0, 60'000));
    EXPECT_EQ(driver.stream(21).content, "small");
}

TEST(MultiplexRequests, AreNotReadPastTheBoundOnOutput) {
    Driver driver{hello, {.requests = 10, .output_bytes = 1000}};
    driver.takes_output = false;
    std::string many;
    for (int i = 0; i < 200; ++i) many += driver.peer.request("/");
    driver.receive(many);
    EXPECT_EQ(driver.step(), Step::transmit);
    EXPECT_LT(driver.handled.size(), 60u);
    driver.takes_output = true;
    driver.drive();
    EXPECT_EQ(driver.peer.over().size(), 200u);
}

struct NotingSink final : http::Sink {
    NotingSink(std::string& into, Taken reply, int* cuts = nullptr)
        : taken{into}, says{reply}, cut_count{cuts} {}
    Taken take(std::string_view bytes) override {
        taken += bytes;
        return says;
    }
    void cut() noexcept override {
        if (cut_count) ++*cut_count;
    }
    std::string& taken;
    Taken says;
    int* cut_count;
};

TEST(MultiplexContent, ArrivesBeforeItsHandlerAsksForIt) {
    Driver driver{[](const http::Request& request) -> http::Reply {
        if (request.content_pending()) return http::Later{};
        return text(std::string{request.content()});
    }};
    driver.upload("/");
    driver.receive(driver.peer.data(1, "early"));
    driver.respond(1, http::ReadContent{});
    driver.receive(frame(FrameType::end, 1));
    EXPECT_EQ(driver.stream(1).content, "early");
}

TEST(MultiplexContent, SinkThatPausesHoldsUpItsOwnStreamAlone) {
    std::string taken;
    Driver driver{[&](const http::Request& request) -> http::Reply {
        if (!request.content_pending()) return text("done");
        return http::StreamContent{std::make_unique<NotingSink>(taken, http::Sink::Taken::paused)};
    }};
    driver.upload("/");
    driver.receive(driver.peer.data(1, "one"));
    driver.receive(driver.peer.data(1, "two"));
    EXPECT_EQ(taken, "one");
    driver.request("/other");
    EXPECT_EQ(driver.stream(2).content, "done");
    driver.wake({.connection = 1, .request = 1});
    EXPECT_EQ(taken, "onetwo");
    driver.receive(frame(FrameType::end, 1));
    EXPECT_FALSE(driver.stream(1).is_over());
    driver.wake({.connection = 1, .request = 1});
    EXPECT_EQ(driver.stream(1).content, "done");
}

TEST(MultiplexContent, IsGrantedAsItIsTakenAndNoMore) {
    std::string taken;
    Driver driver{[&](const http::Request&) -> http::Reply {
        return http::StreamContent{std::make_unique<NotingSink>(taken, http::Sink::Taken::paused)};
    }};
    driver.upload("/");
    driver.receive(driver.peer.data(1, pattern(0, 50'000)));
    EXPECT_EQ(driver.peer.upload_window(1), first_stream_window - 50'000 + payload_bytes_max);
    driver.receive(driver.peer.data(1, pattern(0, 40'000)));
    EXPECT_EQ(driver.peer.refused(), "malformed");
    EXPECT_EQ(driver.step(), Step::drain);
}

TEST(MultiplexContent, CancelCutsIt) {
    std::string taken;
    int cuts = 0;
    Driver driver{[&](const http::Request&) -> http::Reply {
        return http::StreamContent{
            std::make_unique<NotingSink>(taken, http::Sink::Taken::more, &cuts)};
    }};
    driver.upload("/");
    driver.receive(driver.peer.data(1, "one"));
    driver.receive(all({driver.peer.cancel(1), driver.peer.data(1, "two")}));
    EXPECT_EQ(taken, "one");
    EXPECT_EQ(cuts, 1);
    EXPECT_EQ(driver.step(), Step::receive);
}

TEST(MultiplexContent, PastItsLimitIsRefused) {
    Driver driver{[](const http::Request&) -> http::Reply { return http::ReadContent{}; }};
    driver.limits.content_bytes_max = 10;
    driver.upload("/");
    driver.receive(driver.peer.data(1, "eleven bytes"));
    EXPECT_EQ(driver.stream(1).refused, "content too long");
    EXPECT_EQ(driver.step(), Step::receive);
}

TEST(MultiplexContent, HandlerThatAsksTwiceGets500) {
    Driver driver{[](const http::Request&) -> http::Reply { return http::ReadContent{}; }};
    driver.request("/");
    EXPECT_EQ(driver.stream(1).status, 500);
}

}  // namespace
}  // namespace weir::tests::multiplex
