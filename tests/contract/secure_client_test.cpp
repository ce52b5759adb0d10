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

/// A file with a certificate for localhost, which is its own CA, and its key.
std::string make_certificate(const std::string& name, int days) {
    const auto made = tls::make_self_signed({"localhost"}, days).value();
    auto file = temporary_path(name);
    std::ofstream{file} << made.certificate << made.key;
    return file;
}

/// Made once for all tests.
const std::string& certificate() {
    static const std::string path = make_certificate("weir-secure-client.pem", 1);
    return path;
}

/// A program that asks a server whose certificate is for localhost.
struct SecureUpstream : WebFixture {
    void SetUp() override {
        WebFixture::SetUp();
        upstream_options.connect = [this](http::Workspace& workspace, http::Origin& origin,
                                          Now now) {
            ++connections;
            return layer->connect(workspace, origin, now);
        };
        serve_with(certificate());
    }
    void serve_with(const std::string& certificate) {
        upstream.reset();
        layer = *tls::open({.certificates = {{certificate}}});
        layer->begin({.names = {"http/1.1"},
                      .make = [this](std::string_view, http::Workspace& workspace,
                                     http::Origin& origin, Now now) {
                          resumed += origin.security()->is_resumed ? 1 : 0;
                          return std::make_unique<http::Http1Connection>(workspace, origin, now);
                      }});
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
                auto refusal =
                    web::text(std::to_string(static_cast<int>(error.reason())), error.status());
                refusal.set("Why", error.what());
                co_return refusal;
            }
        });
    }
    static std::string reason(web::ClientError::Reason reason) {
        return std::to_string(static_cast<int>(reason));
    }

    static void expect_insecure(const Answer& answer, std::string_view why) {
        EXPECT_EQ(answer.content, reason(web::ClientError::Reason::insecure));
        EXPECT_TRUE(answer.field("why").value_or("").contains(why)) << *answer.field("why");
    }

    std::shared_ptr<http::Layer> layer;
    std::optional<web::Client> client{
        web::ClientOptions{.tls = *tls::open_client({.ca = certificate()})}};
    std::atomic<int> connections{0};
    std::atomic<int> resumed{0};
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

TEST_P(SecureUpstream, NewConnectionsResumeTheSessionsOfThoseBefore) {
    client.emplace(
        web::ClientOptions{.kept_max = 0, .tls = *tls::open_client({.ca = certificate()})});
    ask_for(url() + "/hello");
    auto peer = web_client();
    for (int i = 0; i < 6; ++i) ASSERT_EQ(peer.ask(get("/ask")).content, "hello\n");
    EXPECT_EQ(connections, 6);
    EXPECT_EQ(resumed, 5);
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
    expect_insecure(answer, "certificate for another host");
}

TEST_P(SecureUpstream, MustHaveACertificateOfAKnownCa) {
    client.emplace(web::ClientOptions{.tls = *tls::open_client()});
    ask_for(url());
    auto peer = web_client();
    expect_insecure(peer.ask(get("/ask")), "certificate that is not trusted");
}

TEST_P(SecureUpstream, MustHaveACertificateThatIsValidToday) {
    const auto expired = make_certificate("weir-secure-client-expired.pem", -1);
    serve_with(expired);
    client.emplace(web::ClientOptions{.tls = *tls::open_client({.ca = expired})});
    ask_for(url());
    auto peer = web_client();
    expect_insecure(peer.ask(get("/ask")), "certificate that is not valid today");
}

TEST_P(SecureUpstream, MustSpeakTls) {
    Server plain{*engines::find("per-core"), handler, {}};
    ask_for("https://" + plain.address().text());
    auto peer = web_client();
    expect_insecure(peer.ask(get("/ask")), "does not speak TLS");
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
