// What one client may do with one connection.

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "contract/contract.h"
#include "support/process.h"

namespace weir::tests {
namespace {

struct Requests : Contract {};
WEIR_OVER_EVERY_ENGINE(Requests);

/// Requests numbered 0 to count - 1, behind each other.
std::string numbered(int count) {
    std::string requests;
    for (int i = 0; i < count; ++i) requests += get("/text?is=" + std::to_string(i));
    return requests;
}

void expect_numbered_answers(Client& peer, int count) {
    for (int i = 0; i < count; ++i) ASSERT_EQ(peer.answer().content, std::to_string(i));
}

TEST_P(Requests, TenOnOneConnection) {
    auto peer = client();
    for (int i = 0; i < 10; ++i) {
        const auto answer = peer.ask(get("/hello"));
        ASSERT_EQ(answer.status, 200);
        ASSERT_EQ(answer.content, "hello\n");
        ASSERT_FALSE(answer.connection_says("close"));
    }
}

TEST_P(Requests, CloseIsHonouredAndSaid) {
    auto peer = client();
    const auto answer = peer.ask(get("/hello", "Connection: close\r\n"));
    EXPECT_TRUE(answer.connection_says("close"));
    EXPECT_EQ(peer.ending(), Ending::closed);
}

TEST_P(Requests, Http10ClosesUnlessAsked) {
    auto kept = client();
    kept.send("GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(kept.answer().connection_says("keep-alive"));
    kept.send("GET /hello HTTP/1.0\r\n\r\n");
    EXPECT_EQ(kept.answer().content, "hello\n");
    EXPECT_EQ(kept.ending(), Ending::closed);
}

TEST_P(Requests, HeadHasTheLengthAndNoContent) {
    auto peer = client();
    peer.send("HEAD /big?bytes=100000 HTTP/1.1\r\nHost: weir.test\r\n\r\n" + get("/hello"));
    EXPECT_EQ(peer.answer(AnswerTo::head).length, 100'000u);
    EXPECT_EQ(peer.answer().content, "hello\n");
}

TEST_P(Requests, StatusWithoutContent) {
    auto peer = client();
    for (const int status : {204, 304}) {
        EXPECT_EQ(peer.ask(get("/status?code=" + std::to_string(status))).status, status);
        EXPECT_EQ(peer.ask(get("/hello")).content, "hello\n");
    }
}

TEST_P(Requests, PipelinedInOneWriteAreAnsweredInOrder) {
    auto peer = client();
    peer.send(numbered(100));
    expect_numbered_answers(peer, 100);
}

TEST_P(Requests, PipelinedInAwkwardPiecesAreAnsweredInOrder) {
    auto peer = client();
    const auto requests = numbered(100);
    // A prime that is a little shorter than a request: each cut falls elsewhere in one.
    for (std::size_t at = 0; at < requests.size(); at += 53)
        peer.send(std::string_view{requests}.substr(at, 53));
    expect_numbered_answers(peer, 100);
}

TEST_P(Requests, PipelinedAreFlushedOnce) {
    if (const auto reason = nature_of(engine()).answers_one_by_one; !reason.empty())
        GTEST_SKIP() << engine().name << ": " << reason;
    auto peer = client();
    peer.ask(get("/hello"));
    const auto segments_in = [&] {
        tcp_info info{};
        socklen_t size = sizeof info;
        ::getsockopt(peer.fd(), IPPROTO_TCP, TCP_INFO, &info, &size);
        return info.tcpi_data_segs_in;
    };
    const auto before = segments_in();
    peer.send(numbered(16));
    expect_numbered_answers(peer, 16);
    // TCP_NODELAY: on loopback, each send is a segment.
    EXPECT_EQ(segments_in() - before, 1u);
}

TEST_P(Requests, MoreThanTheOutputLimitArePipelined) {
    options.limits.pipelined_output_bytes_max = 4096;
    auto peer = client();
    std::string requests;
    for (int i = 0; i < 50; ++i) requests += get("/big?own&bytes=1000") + get("/text?is=x");
    peer.send(requests);
    for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(peer.answer().content, pattern(0, 1000));
        ASSERT_EQ(peer.answer().content, "x");
    }
}

TEST_P(Requests, HeadByteByByte) {
    auto peer = client();
    for (const char& byte : get("/hello")) peer.send({&byte, 1});
    EXPECT_EQ(peer.answer().content, "hello\n");
}

TEST_P(Requests, ContentByteByByte) {
    auto peer = client();
    for (const char& byte : post("/echo", "slowly")) peer.send({&byte, 1});
    EXPECT_EQ(peer.answer().content, "slowly");
}

TEST_P(Requests, NoDelayIsOn) {
    auto peer = client();
    peer.ask(get("/hello"));
    const auto server_end = server_end_of(peer.fd());
    if (!server_end) GTEST_SKIP() << engine().name << " holds its connections in other processes";
    int on = 0;
    socklen_t size = sizeof on;
    ASSERT_EQ(::getsockopt(*server_end, IPPROTO_TCP, TCP_NODELAY, &on, &size), 0);
    EXPECT_NE(on, 0);
}

TEST_P(Requests, OnEveryListener) {
    // Half of it is a unix socket's: other addresses, other lengths, no port.
    const auto path = "unix:" + ::testing::TempDir() + "weir-" + name_of_engine({GetParam(), 0}) +
                      "-" + std::to_string(::getpid());
    options.addresses.push_back(net::Address::parse(path, 0).value());
    start();
    for (std::size_t i = 0; i < 2; ++i) {
        Client peer{server().address(i)};
        EXPECT_EQ(peer.ask(get("/hello", "Connection: close\r\n")).content, "hello\n");
    }
}

}  // namespace
}  // namespace weir::tests
