// Connections that a proxy makes for clients.

#include "server/proxied/proxied_connection.h"

#include <gtest/gtest.h>

#include <string>

#include "base/troubles.h"
#include "http/http1/http1_connection.h"
#include "unit/http/driver.h"

namespace weir::server {
namespace {

using namespace std::chrono_literals;
using http::Step;

const std::string header = "PROXY TCP4 198.51.100.9 203.0.113.1 5000 443\r\n";
const std::string get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

/// Answers with the client's address.
http::Reply address_of(const http::Request& request) {
    std::string address;
    request.origin().append_address(address);
    return http::text(address);
}

/// A proxy, whose own address is 192.0.2.7.
class Proxy final : public http::Driver {
   public:
    Proxy() : Driver{address_of, {}, {}} { begin(); }
    ~Proxy() { connection.reset(); }

    void begin() {
        connection = std::make_unique<ProxiedConnection>(connect, workspace, *this, now);
    }
    /// The content of the last answer.
    std::string answer() const { return sent.substr(sent.rfind("\r\n") + 2); }

    const ProxiedConnection::Connect connect = [](http::Workspace& buffers, http::Origin& origin,
                                                  Now time) {
        return std::make_unique<http::Http1Connection>(buffers, origin, time);
    };
    std::string sent;

   private:
    void has_sent(std::string_view bytes) override { sent += bytes; }
};

TEST(ProxiedConnection, TheHeaderNamesThePeer) {
    Proxy proxy;
    proxy.receive(header + get);
    EXPECT_EQ(proxy.answer(), "198.51.100.9");
    proxy.receive(get);
    EXPECT_EQ(proxy.handled, 2);
    EXPECT_EQ(proxy.step(), Step::receive);
}

TEST(ProxiedConnection, TheHeaderMayComeInPieces) {
    Proxy proxy;
    for (const char byte : header + get) proxy.receive({&byte, 1});
    EXPECT_EQ(proxy.answer(), "198.51.100.9");
    for (std::size_t cut = 1; cut < header.size() + get.size(); ++cut) {
        Proxy other;
        other.receive((header + get).substr(0, cut));
        other.receive((header + get).substr(cut));
        EXPECT_EQ(other.answer(), "198.51.100.9") << cut;
    }
}

TEST(ProxiedConnection, AProxyMayAskForItself) {
    Proxy proxy;
    proxy.receive("PROXY UNKNOWN\r\n" + get);
    EXPECT_EQ(proxy.answer(), "192.0.2.7");
}

TEST(ProxiedConnection, WithoutAHeaderItIsCut) {
    const auto before = troubles().count(Trouble::proxy_headers);
    Proxy proxy;
    proxy.receive(get);
    EXPECT_EQ(proxy.step(), Step::close);
    EXPECT_EQ(proxy.sent + std::to_string(proxy.handled), "0");
    EXPECT_EQ(troubles().count(Trouble::proxy_headers), before + 1);
}

TEST(ProxiedConnection, ASecondHeaderIsNoRequest) {
    Proxy proxy;
    proxy.receive(header + header + get);
    EXPECT_EQ(proxy.handled, 0);
    EXPECT_TRUE(proxy.sent.starts_with("HTTP/1.1 400 ")) << proxy.sent;
}

TEST(ProxiedConnection, BeforeTheHeaderItEndsInSilence) {
    for (const bool has_begun : {false, true}) {
        const auto ends = [&](auto how) {
            Proxy proxy;
            if (has_begun) proxy.receive(header.substr(0, 20));
            EXPECT_EQ(proxy.connection->close_impact(), http::CloseImpact::unfinished);
            how(proxy);
            EXPECT_EQ(proxy.step(), Step::close);
            EXPECT_EQ(proxy.sent, "");
        };
        ends([](Proxy& proxy) { proxy.receive_end(); });
        ends([](Proxy& proxy) { proxy.pass(proxy.timeouts.head); });
        ends([](Proxy& proxy) { proxy.connection->turn_away(proxy.now); });
        ends([](Proxy& proxy) { proxy.connection->fail(http::Outcome::peer_gone, proxy.now); });
        ends([](Proxy& proxy) {
            proxy.connection->retire(proxy.now);
            EXPECT_EQ(proxy.step(), Step::receive);
            proxy.pass(1s);
        });
    }
}

TEST(ProxiedConnection, TheStopIsNotForgottenWithTheHeader) {
    Proxy proxy;
    proxy.connection->retire(proxy.now);
    proxy.receive(header + get);
    EXPECT_EQ(proxy.answer(), "198.51.100.9");
    EXPECT_TRUE(proxy.sent.contains("Connection: close\r\n")) << proxy.sent;
}

TEST(ProxiedConnection, WhatHasComeOfTheHeaderCounts) {
    Budget little{64};
    Proxy proxy;
    proxy.workspace.memory = &little;
    proxy.begin();
    proxy.receive("PROXY TCP4 ");
    EXPECT_GT(little.used(), 0u);
    proxy.receive("UNKNOWN " + std::string(80, 'x'));
    EXPECT_EQ(proxy.step(), Step::close);
}

TEST(ProxiedConnection, ASharedRequestKeepsItsOrigin) {
    Proxy proxy;
    proxy.handles = false;
    proxy.receive(header + "GET ");
    std::shared_ptr<const http::Request> kept;
    const std::string rest = "/a HTTP/1.1\r\nHost: a\r\n\r\n";
    proxy.connection->receive(rest, proxy.now);
    kept = proxy.connection->take_request().share();
    proxy.connection->take_ownership(proxy.now);
    proxy.connection->fail(http::Outcome::peer_gone, proxy.now);
    proxy.connection.reset();
    std::string address;
    kept->origin().append_address(address);
    EXPECT_EQ(address, "198.51.100.9");
}

}  // namespace
}  // namespace weir::server
