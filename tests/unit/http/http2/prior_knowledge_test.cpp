// The first bytes of a connection choose its protocol.

#include <gtest/gtest.h>

#include "http/http2/prior_knowledge.h"
#include "http2_driver.h"

namespace weir::http {
namespace {

class Chosen : public ::testing::Test {
   protected:
    Chosen() { peer.connection = std::make_unique<PriorKnowledge>(peer.workspace, peer, peer.now); }
    /// What was sent, of HTTP/1.1.
    std::string say(std::string_view bytes) {
        std::string sent;
        const std::string buffer{bytes};
        peer.connection->receive(buffer, peer.now);
        while (peer.step() == Step::handle || sends(peer.step())) {
            if (peer.step() == Step::handle) {
                const Request& request = peer.connection->take_request();
                peer.connection->respond(request.id(), hello(request), peer.now);
                continue;
            }
            const std::string part{peer.connection->transmit().parts[0]};
            sent += part;
            peer.connection->transmitted(part.size(), peer.now);
        }
        peer.connection->take_ownership(peer.now);
        return sent;
    }

    Http2Driver peer{hello};
};

TEST_F(Chosen, ThePrefaceIsHttp2) {
    peer.receive(h2::hello() + h2::get(1, "/"));
    EXPECT_EQ(peer.stream(1).content, "hello");
}

TEST_F(Chosen, ThePrefaceMayComeInPieces) {
    for (const char byte : h2::hello() + h2::get(1, "/")) peer.receive({&byte, 1});
    EXPECT_EQ(peer.stream(1).content, "hello");
}

TEST_F(Chosen, AllElseIsHttp1) {
    EXPECT_TRUE(say("GET / HTTP/1.1\r\nHost: a\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
    EXPECT_EQ(peer.step(), Step::receive);
}

TEST_F(Chosen, AMethodMayBeginLikeThePreface) {
    EXPECT_EQ(say("PR"), "");
    EXPECT_TRUE(say("OPFIND / HTTP/1.1\r\nHost: a\r\n\r\n").starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST_F(Chosen, APrefaceThatBreaksOffIsNoRequest) {
    EXPECT_EQ(say("PRI * HTTP/2.0\r\n\r\nSM"), "");
    EXPECT_TRUE(say("XX").starts_with("HTTP/1.1 4"));
}

TEST_F(Chosen, ASilentConnectionHasItsTime) {
    EXPECT_EQ(say("PRI"), "");
    peer.pass(peer.timeouts.head);
    EXPECT_EQ(peer.step(), Step::close);
}

TEST_F(Chosen, TheStopIsNotForgottenWithTheChoice) {
    EXPECT_EQ(say("PRI"), "");
    peer.connection->retire(peer.now);
    peer.receive((h2::hello() + h2::get(1, "/")).substr(3));
    EXPECT_EQ(peer.stream(1).content, "hello");
    peer.pass(1s);
    EXPECT_EQ(peer.reader.goaways.size(), 2u);
}

}  // namespace
}  // namespace weir::http
