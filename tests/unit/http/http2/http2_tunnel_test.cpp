// Another protocol on a stream, after an extended CONNECT (RFC 8441).

#include <gtest/gtest.h>

#include "http2_driver.h"
#include "unit/http/echo_tunnel.h"
#include "weir/http/tunnel.h"

namespace weir::http {
namespace {

const h2::Fields connect_fields = {{":method", "CONNECT"}, {":protocol", "echo"},
                                   {":scheme", "https"},   {":path", "/chat?x"},
                                   {":authority", "a"},    {"origin", "https://a"}};

h2::Fields without(std::string_view name) {
    h2::Fields fields = connect_fields;
    std::erase_if(fields, [&](const auto& field) { return field.first == name; });
    return fields;
}

std::string connect(h2::StreamId id, const h2::Fields& fields = connect_fields) {
    return h2::headers(id, fields, h2::flag::end_headers);
}

struct Http2Tunnels : ::testing::Test {
    EchoTunnel::Notes notes;
    Http2Driver peer{echo_tunnel(notes)};

    void open() {
        peer.receive(h2::hello() + connect(1));
        ASSERT_EQ(peer.stream(1).status(), 200);
    }
};

TEST_F(Http2Tunnels, AreAnnounced) {
    peer.receive(h2::hello());
    const std::string setting = h2::number(8, 2) + h2::number(1);
    EXPECT_NE(peer.reader.frames[0].payload.find(setting), std::string::npos);
}

TEST_F(Http2Tunnels, CarryBytesBothWaysBesideRequests) {
    std::string seen;
    Http2Driver other{[&](const Request& request) -> Reply {
        if (!can_upgrade(request, "echo")) return hello(request);
        seen = std::string{request.method_text()} + " " + std::string{request.target()} + " " +
               std::string{request.authority()} + " " +
               std::string{request.field("origin").value_or("")};
        return echo_tunnel(notes)(request);
    }};
    other.receive(h2::hello() + connect(1) + h2::get(3, "/"));
    EXPECT_EQ(seen, "GET /chat?x a https://a");
    EXPECT_EQ(other.stream(1).status(), 200);
    EXPECT_EQ(other.stream(1).field("upgrade"), "");
    EXPECT_EQ(other.stream(1).field("content-length"), "");
    EXPECT_EQ(other.stream(3).content, "hello");
    other.receive(h2::data(1, "one") + h2::data(1, "two, which is long"));
    EXPECT_EQ(other.stream(1).content, "onetwo, which is long");
    EXPECT_FALSE(other.stream(1).is_over());
    other.receive(h2::data(1, "bye."));
    EXPECT_TRUE(other.stream(1).is_whole);
    EXPECT_EQ(notes.done, "sent");
}

TEST_F(Http2Tunnels, TakeWhatCameBeforeTheirAnswer) {
    peer.handles = false;
    peer.receive(h2::hello() + connect(1) + h2::data(1, "early, and longer than its room"));
    ASSERT_EQ(peer.taken.size(), 1U);
    Response response;
    response.upgrade("echo", std::make_unique<EchoTunnel>(notes));
    peer.respond(1, std::move(response));
    EXPECT_EQ(peer.stream(1).content, "early, and longer than its room");
}

TEST_F(Http2Tunnels, HoldNoMoreThanTheWindow) {
    open();
    notes.room = 0;
    const std::string large(16'384, 'x');
    for (int i = 0; i < 3; ++i) peer.receive(h2::data(1, large));
    EXPECT_EQ(peer.reader.count(h2::FrameType::window_update), 1) << "that of the connection";
    EXPECT_EQ(notes.taken, 0U);
    notes.room = 10'000;
    peer.connection->wake(1, peer.now);
    peer.drive();
    peer.receive(h2::window(1, 100'000));
    EXPECT_EQ(notes.taken, 3 * large.size());
    EXPECT_EQ(peer.stream(1).content.size(), 3 * large.size());
    EXPECT_GT(peer.reader.count(h2::FrameType::window_update), 1);
}

TEST_F(Http2Tunnels, EndWhenThePeerEndsItsSide) {
    open();
    peer.receive(h2::data(1, "last", h2::flag::end_stream));
    EXPECT_TRUE(notes.input_ended);
    EXPECT_EQ(peer.stream(1).content, "last");
    EXPECT_TRUE(peer.stream(1).is_whole);
    EXPECT_EQ(notes.done, "sent");
}

TEST_F(Http2Tunnels, ThatThrowAreAnsweredBy500) {
    notes.size_throws = true;
    peer.receive(h2::hello() +
                 h2::headers(1, connect_fields, h2::flag::end_headers | h2::flag::end_stream));
    EXPECT_EQ(peer.stream(1).status(), 500);
    EXPECT_EQ(notes.done, "failed");
}

TEST_F(Http2Tunnels, HearThatThePeerHasGone) {
    open();
    peer.receive(h2::reset(1));
    EXPECT_EQ(notes.done, "gone");
    EchoTunnel::Notes second;
    Http2Driver other{echo_tunnel(second)};
    other.receive(h2::hello() + connect(1));
    other.receive_end();
    EXPECT_EQ(second.done, "gone") << "the connection ended, and not the stream";
}

TEST_F(Http2Tunnels, HearThatTheServerStops) {
    open();
    peer.connection->retire(peer.now);
    peer.drive();
    EXPECT_TRUE(notes.retired);
    EXPECT_TRUE(peer.stream(1).is_whole);
}

TEST_F(Http2Tunnels, HaveATimeOfTheirOwn) {
    open();
    notes.due = peer.now.instant + 2h;
    peer.connection->wake(1, peer.now);
    peer.drive();
    peer.pass(1h);
    EXPECT_FALSE(peer.stream(1).is_over());
    notes.extra = "tick";
    peer.pass(1h);
    EXPECT_EQ(peer.stream(1).content, "tick");
    notes.due = never;
    peer.connection->wake(1, peer.now);
    peer.drive();
    peer.pass(24h);
    EXPECT_FALSE(peer.stream(1).is_over());
}

TEST_F(Http2Tunnels, CutAPeerWhoseWindowStaysClosed) {
    peer.receive(h2::hello({{h2::Setting::initial_window_size, 0}}) + connect(1));
    peer.receive(h2::data(1, "x"));
    peer.pass(31s);
    peer.pass(31s);
    EXPECT_TRUE(peer.stream(1).was_reset);
    EXPECT_EQ(notes.done, "late");
}

TEST_F(Http2Tunnels, HoldNoBufferWhileTheyRest) {
    Budget budget{1'000'000};
    Http2Driver other{echo_tunnel(notes)};
    other.workspace.memory = &budget;
    other.connection = std::make_unique<Http2Connection>(other.workspace, other, other.now);
    other.receive(h2::hello() + connect(1));
    other.receive(h2::data(1, "hello"));
    EXPECT_EQ(other.stream(1).content, "hello");
    EXPECT_GT(budget.used(), 500U);
    EXPECT_LT(budget.used(), 4'000U);
}

TEST_F(Http2Tunnels, ComeOnlyWhereTheyWereAskedFor) {
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).status(), 500);
    EXPECT_EQ(notes.done, "stopped");
    Http2Driver other{hello};
    other.receive(h2::hello() + connect(1));
    EXPECT_EQ(other.stream(1).status(), 501) << "a page is no tunnel";
}

TEST_F(Http2Tunnels, NeedAllOfAnExtendedConnect) {
    h2::StreamId id = 1;
    peer.receive(h2::hello());
    for (const std::string_view name : {":scheme", ":path", ":authority"}) {
        peer.receive(connect(id, without(name)));
        EXPECT_TRUE(peer.stream(id).was_reset) << name;
        id += 2;
    }
    for (const std::string_view bad : {"", "two words", "a\r\nb"}) {
        h2::Fields fields = connect_fields;
        fields[1].second = bad;
        peer.receive(connect(id, fields));
        EXPECT_TRUE(peer.stream(id).was_reset) << bad;
        id += 2;
    }
    h2::Fields get = connect_fields;
    get[0].second = "GET";
    peer.receive(connect(id, get));
    EXPECT_TRUE(peer.stream(id).was_reset) << ":protocol is for CONNECT";
    EXPECT_EQ(peer.handled, 0);
}

}  // namespace
}  // namespace weir::http
