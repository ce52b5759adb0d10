// From replies to frames: heads, content of all kinds, windows, priorities.

#include <gtest/gtest.h>

#include <deque>

#include "http/hpack/prepared_fields.h"
#include "http2_driver.h"

namespace weir::http {
namespace {

using h2::ErrorCode;
using h2::FrameType;
using h2::Setting;
namespace flag = h2::flag;

/// Each pull gives the next of these.
class Listed final : public Source {
   public:
    explicit Listed(std::deque<Pulled> pieces, std::vector<Outcome>* outcomes = nullptr,
                    std::string trailers = {}, std::optional<std::uint64_t> size = {})
        : pieces_{std::move(pieces)},
          outcomes_{outcomes},
          trailers_{std::move(trailers)},
          size_{size} {}

    Pulled pull(std::span<char> into) override {
        if (pieces_.empty()) return End{};
        const Pulled piece = pieces_.front();
        pieces_.pop_front();
        if (const auto* ready = std::get_if<Ready>(&piece))
            std::fill_n(into.data(), ready->size, 's');
        return piece;
    }
    std::optional<std::uint64_t> size() const override { return size_; }
    std::string_view trailers() const override { return trailers_; }
    void done(Outcome outcome) noexcept override {
        if (outcomes_) outcomes_->push_back(outcome);
    }

   private:
    std::deque<Pulled> pieces_;
    std::vector<Outcome>* outcomes_;
    std::string trailers_;
    std::optional<std::uint64_t> size_;
};

Http2Driver::Handle give(std::function<void(Response&)> fill) {
    return [fill = std::move(fill)](const Request&) -> Reply {
        Response response;
        fill(response);
        return response;
    };
}

TEST(Http2Answer, ItsHeadHasWhatHttp1Has) {
    Http2Driver peer{give([](Response& response) {
        response.prepared_fields("Content-Type: text/plain\r\nETag: \"a\"\r\nX-Own: 1\r\n");
        response.add("Vary", "Accept").content(std::string{"hello"});
    })};
    peer.receive(h2::hello() + h2::get(1, "/"));
    const h2::Fields expected{{":status", "200"},
                              {"date", "Sun, 06 Nov 1994 08:49:37 GMT"},
                              {"content-type", "text/plain"},
                              {"etag", "\"a\""},
                              {"x-own", "1"},
                              {"vary", "Accept"},
                              {"content-length", "5"}};
    EXPECT_EQ(peer.stream(1).fields, expected);
    ASSERT_EQ(peer.seen.size(), 1u);
    EXPECT_EQ(peer.seen[0].outcome, Outcome::sent);
    EXPECT_EQ(peer.seen[0].content_bytes, 5u);
}

/// Two parts: fields of the connection and others, then fields of the content.
struct PreparedAnswer : ::testing::Test {
    PreparedFields fields{"Connection: close\r\nETag: \"a\"\r\nX-Own: 1\r\n"};
    const PreparedFields::Mark content = fields.end();

    PreparedAnswer() { fields.append("Content-Type: text/plain\r\nX-Large: " + large + "\r\n"); }

    const std::string large = std::string(20'000, 'x');
    /// The fields of a response that `fill` has filled, from Date on.
    static h2::Fields sent(std::function<void(Response&)> fill) {
        Http2Driver peer{give(std::move(fill))};
        peer.receive(h2::hello() + h2::get(1, "/"));
        EXPECT_TRUE(peer.stream(1).is_over());
        return peer.stream(1).fields;
    }
};

TEST_F(PreparedAnswer, HasTheFieldsOfItsLines) {
    const auto by_block = sent([&](Response& response) { fields.lend(response); });
    const auto by_lines =
        sent([&](Response& response) { response.prepared_fields(fields.lines()); });
    EXPECT_EQ(by_block, by_lines);
    EXPECT_EQ(by_block.size(), 7u) << "status, date, length and four of five";
}

TEST_F(PreparedAnswer, HasThePartThatIsLent) {
    const auto first =
        sent([&](Response& response) { fields.lend(response, fields.begin(), content); });
    EXPECT_EQ(first.size(), 5u);
    EXPECT_EQ(first[2], (std::pair<std::string, std::string>{"etag", "\"a\""}));
    const auto second =
        sent([&](Response& response) { fields.lend(response, content, fields.end()); });
    EXPECT_EQ(second.size(), 5u);
    EXPECT_EQ(second[2], (std::pair<std::string, std::string>{"content-type", "text/plain"}));
}

TEST_F(PreparedAnswer, LosesTheFieldThatIsReplaced) {
    const auto changed = sent([&](Response& response) {
        fields.lend(response);
        response.add("Content-Type", "a/b");
    });
    EXPECT_EQ(
        std::ranges::count(changed, std::string{"content-type"}, &h2::Fields::value_type::first),
        1);
    EXPECT_EQ(std::ranges::count(changed, std::string{"etag"}, &h2::Fields::value_type::first), 1);
}

TEST(Http2Answer, FieldsOfTheConnectionAreLeftOut) {
    Http2Driver peer{give([](Response& response) {
        response.prepared_fields("Connection: Upgrade\r\nUpgrade: a\r\nX: y\r\n");
        response.add("Proxy-Connection", "close");
    })};
    peer.receive(h2::hello() + h2::get(1, "/"));
    for (const auto* name : {"connection", "upgrade", "proxy-connection"})
        EXPECT_EQ(peer.stream(1).field(name), "") << name;
    EXPECT_EQ(peer.stream(1).field("x"), "y");
}

TEST(Http2Answer, EveryStatusIsSaid) {
    unsigned status = 200;
    Http2Driver peer{
        [&](const Request&) -> Reply { return Response{static_cast<Status>(status)}; }};
    peer.receive(h2::hello());
    for (h2::StreamId id = 1; status < 600; ++status, id += 2) {
        peer.receive(h2::get(id, "/"));
        ASSERT_EQ(peer.stream(id).status(), static_cast<int>(status));
    }
}

TEST(Http2Answer, HeadHasTheLengthAndNoContent) {
    std::vector<Outcome> outcomes;
    Http2Driver peer{[&](const Request& request) -> Reply {
        Response response;
        if (request.path() == "/source")
            response.content(std::make_unique<Listed>(std::deque<Source::Pulled>{}, &outcomes, "",
                                                      std::uint64_t{7}));
        else
            response.content(std::string{"hello"});
        return response;
    }};
    const auto head = [](h2::StreamId id, std::string_view path) {
        h2::Fields fields = h2::get_fields(path);
        fields.front().second = "HEAD";
        return h2::headers(id, fields, flag::end_headers | flag::end_stream);
    };
    peer.receive(h2::hello() + head(1, "/") + head(3, "/source"));
    EXPECT_EQ(peer.stream(1).field("content-length"), "5");
    EXPECT_EQ(peer.stream(3).field("content-length"), "7");
    for (const h2::StreamId id : {1u, 3u}) {
        EXPECT_TRUE(peer.stream(id).is_whole);
        EXPECT_EQ(peer.stream(id).content, "");
    }
    EXPECT_EQ(outcomes, std::vector{Outcome::sent});
}

TEST(Http2Answer, WithoutContentTheHeadIsTheEnd) {
    Http2Driver peer{[](const Request& request) -> Reply {
        Response response{request.path() == "/304" ? Status::not_modified : Status::no_content};
        response.content(std::string{"never"});
        return response;
    }};
    peer.receive(h2::hello() + h2::get(1, "/304") + h2::get(3, "/204"));
    for (const h2::StreamId id : {1u, 3u}) {
        EXPECT_TRUE(peer.stream(id).is_whole);
        EXPECT_EQ(peer.stream(id).content, "");
        EXPECT_EQ(peer.stream(id).field("content-length"), "");
    }
}

TEST(Http2Answer, LongContentTakesManyFrames) {
    const std::string content(1'000'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.receive(h2::hello({{Setting::initial_window_size, 2'000'000}}) + h2::window(0, 2'000'000) +
                 h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content, content);
    for (const auto& frame : peer.reader.frames) EXPECT_LE(frame.payload.size(), 16'384u);
}

TEST(Http2Answer, ALongFieldTakesSeveralFrames) {
    Http2Driver peer{give([](Response& response) {
        response.add("X-Long", std::string(40'000, 'x')).add("X-Last", "1");
    })};
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).field("x-long").size(), 40'000u);
    EXPECT_EQ(peer.stream(1).field("x-last"), "1");
    EXPECT_EQ(peer.reader.count(FrameType::continuation), 2);
}

TEST(Http2Answer, AFileIsNamedAndNotRead) {
    Http2Driver peer{
        give([](Response& response) { response.content(FileRange{.fd = 7, .size = 50'000}); })};
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/"));
    EXPECT_EQ(peer.stream(1).content, std::string(50'000, '#'));
    peer.receive(h2::window(0, 100'000));
    EXPECT_EQ(peer.stream(3).content, std::string(50'000, '#'));
}

TEST(Http2Answer, ASourceGivesAsItCan) {
    std::vector<Outcome> outcomes;
    std::optional<Waker> waker;
    Http2Driver peer{[&](const Request& request) -> Reply {
        waker = request.waker();
        Response response;
        response.content(std::make_unique<Listed>(
            std::deque<Source::Pulled>{Source::Ready{10}, Source::NotReady{}, Source::Ready{20},
                                       Source::File{{.fd = 7, .size = 5}}, Source::End{}},
            &outcomes));
        return response;
    }};
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content.size(), 10u);
    EXPECT_FALSE(peer.stream(1).is_whole);
    waker->wake();
    peer.deliver();
    EXPECT_EQ(peer.stream(1).content, std::string(30, 's') + "#####");
    EXPECT_TRUE(peer.stream(1).is_whole);
    EXPECT_EQ(peer.stream(1).field("content-length"), "");
    EXPECT_EQ(outcomes, std::vector{Outcome::sent});
}

TEST(Http2Answer, ASourcesTrailersEndIt) {
    Http2Driver peer{give([](Response& response) {
        response.content(std::make_unique<Listed>(std::deque<Source::Pulled>{Source::Ready{3}},
                                                  nullptr, "Sum: abc\r\nX-More: 1\r\n"));
    })};
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content, "sss");
    EXPECT_EQ(peer.stream(1).trailers, (h2::Fields{{"sum", "abc"}, {"x-more", "1"}}));
    EXPECT_TRUE(peer.stream(1).is_whole);
}

/// Of a source that fails, and of those that give more or less than they have announced.
TEST(Http2Answer, ASourceThatFailsResetsItsStreamAlone) {
    std::vector<Outcome> outcomes;
    Http2Driver peer{[&](const Request& request) -> Reply {
        std::deque<Source::Pulled> pieces{Source::Ready{10}};
        if (request.path() == "/fails") pieces.emplace_back(Source::Failed{});
        if (request.path() == "/more") pieces.emplace_back(Source::Ready{10});
        const bool sized = request.path() != "/fails";
        Response response;
        response.content(std::make_unique<Listed>(
            pieces, &outcomes, "", sized ? std::optional<std::uint64_t>{15} : std::nullopt));
        return response;
    }};
    peer.receive(h2::hello() + h2::get(1, "/fails") + h2::get(3, "/more") + h2::get(5, "/less"));
    for (const h2::StreamId id : {1u, 3u, 5u}) {
        EXPECT_TRUE(peer.stream(id).was_reset) << id;
        EXPECT_EQ(peer.stream(id).code, ErrorCode::internal_error);
    }
    EXPECT_EQ(peer.stream(1).content.size(), 10u) << "all that came before";
    EXPECT_EQ(outcomes, (std::vector{Outcome::source_failed, Outcome::source_failed,
                                     Outcome::source_failed}));
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST(Http2Answer, WindowsAreKept) {
    const std::string content(100'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.receive(h2::hello({{Setting::initial_window_size, 10}}) + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content.size(), 10u);
    peer.receive(h2::window(1, 1));
    EXPECT_EQ(peer.stream(1).content.size(), 11u);
    peer.receive(h2::settings({{Setting::initial_window_size, 5}}) + h2::window(1, 5));
    EXPECT_EQ(peer.stream(1).content.size(), 11u);  // the window was -5, and is 0
    peer.receive(h2::settings({{Setting::initial_window_size, 80'000}}));
    EXPECT_EQ(peer.stream(1).content.size(), 65'535u);  // now it is the connection's
    peer.receive(h2::window(0, 100'000));
    EXPECT_EQ(peer.stream(1).content.size(), 80'006u);
    peer.receive(h2::window(1, 100'000));
    EXPECT_TRUE(peer.stream(1).is_whole);
}

TEST(Http2Answer, TheUrgentComeFirstAndTheOthersInOrder) {
    const std::string content(20'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.handles = false;
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/", {{"priority", "u=5"}}) +
                 h2::get(5, "/", {{"priority", "u=1"}}) + h2::get(7, "/"));
    peer.send_max = 0;
    for (const RequestId id : peer.taken) {
        Response response;
        response.content_view(content);
        peer.connection->respond(id, std::move(response), peer.now);
        peer.connection->transmit();  // from here on the others wait
    }
    peer.send_max = ~std::size_t{0};
    peer.drive();
    peer.receive(h2::window(0, 1'000'000));
    std::vector<h2::StreamId> ended;
    for (const auto& frame : peer.reader.frames)
        if (frame.type == FrameType::data && frame.has(flag::end_stream))
            ended.push_back(frame.stream);
    EXPECT_EQ(ended, (std::vector<h2::StreamId>{1, 5, 7, 3}));
}

TEST(Http2Answer, IncrementalOnesTakeTurns) {
    const std::string content(40'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.receive(h2::hello() + h2::window(0, 1'000'000) + h2::get(1, "/", {{"priority", "i"}}) +
                 h2::get(3, "/", {{"priority", "u=3, i"}}));
    std::vector<h2::StreamId> order;
    for (const auto& frame : peer.reader.frames)
        if (frame.type == FrameType::data) order.push_back(frame.stream);
    EXPECT_EQ(order, (std::vector<h2::StreamId>{1, 3, 1, 3, 1, 3}));
}

TEST(Http2Answer, APriorityMayChange) {
    const std::string content(60'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/"));
    EXPECT_EQ(peer.stream(3).content.size(), 5'535u);  // the connection's window is used up
    peer.receive(h2::get(5, "/") +
                 h2::frame(FrameType::priority_update, 0, 0, h2::number(5) + "u=0") +
                 h2::window(0, 60'000));
    EXPECT_TRUE(peer.stream(5).is_whole);
    EXPECT_FALSE(peer.stream(3).is_whole);
}

TEST(Http2Answer, ATableThatThePeerMakesSmallerIsAnsweredOnce) {
    Http2Driver peer{hello};
    peer.receive(h2::hello({{Setting::header_table_size, 0}}) + h2::get(1, "/") + h2::get(3, "/"));
    std::vector<char> first_bytes;
    for (const auto& frame : peer.reader.frames)
        if (frame.type == FrameType::headers) first_bytes.push_back(frame.payload.front());
    EXPECT_EQ(first_bytes, (std::vector<char>{'\x20', '\x88'}));
}

TEST(Http2Answer, WhatTransmitNamedStaysUntilItIsSent) {
    const std::string content(30'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.receive(h2::hello());
    peer.send_max = 0;
    peer.receive(h2::get(1, "/"));
    const Transmission named = peer.connection->transmit();
    peer.connection->take_ownership(peer.now);
    const Transmission kept = peer.connection->transmit();
    const std::string before{kept.parts[0]};
    EXPECT_EQ(before.size(), named.parts[0].size());
    // A send is under way: requests, pings and answers go behind it.
    peer.receive(h2::ping() + h2::get(3, "/") + h2::window(0, 100'000));
    EXPECT_EQ(peer.connection->transmit().parts[0].data(), kept.parts[0].data());
    EXPECT_EQ(before, kept.parts[0]);
    peer.connection->expire(peer.now, 0);
    EXPECT_EQ(before, kept.parts[0]);
    peer.send_max = 1;
    for (int i = 0; i < 100; ++i) peer.drive();
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(peer.stream(1).content, content);
    EXPECT_EQ(peer.stream(3).content, content);
    EXPECT_EQ(peer.reader.count(FrameType::ping), 1);
}

TEST(Http2Answer, OneThatIsCutWhileItIsSentLeavesItsFramesWhole) {
    const std::string content(60'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.receive(h2::hello());
    peer.send_max = 0;
    peer.receive(h2::get(1, "/"));
    peer.send_once(20'000);
    peer.receive(h2::reset(1));
    peer.connection->take_ownership(peer.now);
    peer.send_max = ~std::size_t{0};
    peer.drive();
    EXPECT_EQ(peer.stream(1).content, content);  // rendered before the reset came
    ASSERT_EQ(peer.seen.size(), 1u);
    EXPECT_EQ(peer.seen[0].outcome, Outcome::peer_gone);
    EXPECT_EQ(peer.seen[0].content_bytes, 16'384u);
    peer.receive(h2::window(0, 100'000) + h2::get(3, "/"));
    EXPECT_EQ(peer.stream(3).content, content);
}

TEST(Http2Answer, RequestsAreUnderWayUntilTheyEnd) {
    Http2Driver peer{hello};
    peer.handles = false;
    peer.receive(h2::hello() + h2::get(1, "/") + h2::get(3, "/") + h2::get(5, "/", {{"A", "b"}}));
    EXPECT_EQ(peer.active, 2) << "the last one is malformed";
    peer.receive(h2::reset(1));
    EXPECT_EQ(peer.active, 1);
    peer.respond(1, text("a"));
    EXPECT_EQ(peer.active, 1);
    peer.respond(3, text("a"));
    EXPECT_EQ(peer.active, 0);
    EXPECT_EQ(peer.seen.size(), 1u);
    peer.receive(h2::get(7, "/"));
    peer.connection->fail(Outcome::peer_gone, peer.now);
    EXPECT_EQ(peer.active, 0);
}

TEST(Http2Answer, AFileStaysOpenUntilWhatWasNamedIsSent) {
    const auto owner = std::make_shared<int>(7);
    Http2Driver peer{give([&](Response& response) {
        response.content(FileRange{.fd = 7, .size = 10'000}).retain(owner);
    })};
    peer.receive(h2::hello());
    peer.send_max = 0;
    peer.receive(h2::get(1, "/"));
    peer.send_once(100);
    EXPECT_EQ(owner.use_count(), 2);
    peer.receive(h2::reset(1));
    EXPECT_EQ(owner.use_count(), 2);
    peer.send_once(20'000);
    EXPECT_EQ(owner.use_count(), 1);
}

TEST(Http2Answer, OneThatIsCutSaysHowMuchWasSent) {
    const std::string content(30'000, 'c');
    Http2Driver peer{give([&](Response& response) { response.content_view(content); })};
    peer.receive(h2::hello({{Setting::initial_window_size, 1'000}}) + h2::get(1, "/"));
    peer.receive(h2::reset(1));
    ASSERT_EQ(peer.seen.size(), 1u);
    EXPECT_EQ(peer.seen[0].outcome, Outcome::peer_gone);
    EXPECT_EQ(peer.seen[0].content_bytes, 1'000u);
}

}  // namespace
}  // namespace weir::http
