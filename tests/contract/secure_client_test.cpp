// Connections that the server opens itself and that TLS encrypts, under every engine.

#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "contract/echo_through_client.h"
#include "contract/web_fixture.h"
#include "http/http1/http1_connection.h"
#include "http/layer.h"
#include "support/temporary_path.h"
#include "tls/openssl/made_certificate.h"
#include "weir/client/client.h"
#include "weir/proxy/proxy.h"
#include "weir/tls/tls.h"

namespace weir::tests {
namespace {

/// A certificate for localhost, made once for all tests. It is its own CA.
const std::string& certificate() {
    static const std::string path = [] {
        const auto made = tls::make_self_signed({"localhost"}, 1).value();
        auto file = temporary_path("weir-secure-client.pem");
        std::ofstream{file} << made.certificate << made.key;
        return file;
    }();
    return path;
}

/// A program that asks a server whose certificate is for localhost.
struct SecureUpstream : WebFixture {
    void SetUp() override {
        WebFixture::SetUp();
        layer->begin({.names = {"http/1.1"},
                      .make = [](std::string_view, http::Workspace& workspace, http::Origin& origin,
                                 Now now) {
                          return std::make_unique<http::Http1Connection>(workspace, origin, now);
                      }});
        upstream_options.connect = [this](http::Workspace& workspace, http::Origin& origin,
                                          Now now) {
            ++connections;
            return layer->connect(workspace, origin, now);
        };
        upstream.emplace(*engines::find("per-core"), handler, upstream_options);
    }
    void TearDown() override {
        web_server.reset();
        upstream.reset();
        WebFixture::TearDown();
    }
    std::string url(std::string_view host = "localhost") const {
        return "https://" + std::string{host} + ":" + std::to_string(upstream->address().port());
    }
    /// GET /ask responds with the content of this URL.
    void ask_for(std::string url_asked) {
        router.get("/ask", [this, url_asked](web::Call) -> web::Task<web::Response> {
            try {
                auto response = co_await client->get(url_asked);
                co_return web::text(co_await response.all(), response.status());
            } catch (const web::ClientError& error) {
                co_return web::text(std::to_string(static_cast<int>(error.reason())),
                                    error.status());
            }
        });
    }
    static std::string reason(web::ClientError::Reason reason) {
        return std::to_string(static_cast<int>(reason));
    }

    std::shared_ptr<http::Layer> layer = *tls::open({.certificates = {{certificate()}}});
    std::optional<web::Client> client{
        web::ClientOptions{.tls = *tls::open_client({.ca = certificate()})}};
    std::atomic<int> connections{0};
    Server::Options upstream_options;
    std::optional<Server> upstream;
};
WEIR_OVER_EVERY_ENGINE(SecureUpstream);

using Reason = web::ClientError::Reason;

TEST_P(SecureUpstream, IsAskedAgainOnTheSameConnection) {
    ask_for(url() + "/hello");
    auto peer = web_client();
    for (int i = 0; i < 5; ++i) ASSERT_EQ(peer.ask(get("/ask")).content, "hello\n");
    EXPECT_EQ(connections, 1);
}

TEST_P(SecureUpstream, TakesAndGivesContentOfAnySize) {
    echo_through(router, *client, url() + "/echo");
    auto peer = web_client();
    peer.send(post("/echo", pattern(0, 500'000)));
    expect_pattern(peer.answer().content, 500'000);
}

TEST_P(SecureUpstream, MustHaveACertificateForItsHost) {
    ask_for(url("127.0.0.1"));
    auto peer = web_client();
    const Answer answer = peer.ask(get("/ask"));
    EXPECT_EQ(answer.status, 502);
    EXPECT_EQ(answer.content, reason(Reason::insecure));
}

TEST_P(SecureUpstream, MustHaveACertificateOfAKnownCa) {
    client.emplace(web::ClientOptions{.tls = *tls::open_client()});
    ask_for(url());
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/ask")).content, reason(Reason::insecure));
}

TEST_P(SecureUpstream, MustSpeakTls) {
    Server plain{*engines::find("per-core"), handler, {}};
    ask_for("https://" + plain.address().text());
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/ask")).content, reason(Reason::insecure));
    peer.close();
    web_server.reset();
}

TEST_P(SecureUpstream, IsGivenUpIfItIsSilent) {
    const net::UniqueFd silent = bound_socket();
    ASSERT_EQ(::listen(silent.get(), 8), 0);
    client.emplace(web::ClientOptions{.connect_timeout = milliseconds{100},
                                      .tls = *tls::open_client({.ca = certificate()})});
    ask_for("https://" + net::Address::of_socket(silent.get())->text());
    auto peer = web_client();
    EXPECT_EQ(peer.ask(get("/ask")).content, reason(Reason::unreachable));
    peer.close();
    web_server.reset();
}

TEST_P(SecureUpstream, StandsBehindAProxy) {
    proxy::Options options_of_proxy;
    options_of_proxy.routes = {{.path = "/", .servers = {url()}}};
    EXPECT_FALSE(proxy::proxy_to(router, options_of_proxy));
    options_of_proxy.tls = *tls::open_client({.ca = certificate()});
    const auto proxy = *proxy::proxy_to(router, options_of_proxy);
    Server front{engine(), *proxy, options};
    auto peer = front.client();
    for (int i = 0; i < 5; ++i) ASSERT_EQ(peer.ask(get("/hello")).content, "hello\n");
    peer.send(post("/echo", pattern(0, 500'000)));
    expect_pattern(peer.answer().content, 500'000);
}

}  // namespace
}  // namespace weir::tests
