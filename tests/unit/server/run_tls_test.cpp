// Requests over TLS of coroutines that no server's engine drives.

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engines/engines.h"
#include "http/http1/http1_connection.h"
#include "http/layer.h"
#include "support/scripted_handler.h"
#include "support/server.h"
#include "support/temporary_path.h"
#include "tls/openssl/made_certificate.h"
#include "weir/client/client.h"
#include "weir/server/run.h"
#include "weir/tls/tls.h"

namespace weir::server {
namespace {

using web::Task;

/// A file with a certificate for localhost, which is its own CA, and its key.
std::string make_certificate() {
    const auto made = tls::make_self_signed({"localhost"}, 1).value();
    auto file = tests::temporary_path("weir-run.pem");
    std::ofstream{file} << made.certificate << made.key;
    return file;
}

struct RunTls : testing::Test {
    RunTls() {
        layer->begin({.names = {"http/1.1"},
                      .make = [](std::string_view, http::Workspace& workspace, http::Origin& origin,
                                 Now now) {
                          return std::make_unique<http::Http1Connection>(workspace, origin, now);
                      }});
    }
    std::string url(std::string_view host) const {
        return "https://" + std::string{host} + ":" + std::to_string(upstream.address().port()) +
               "/hello";
    }
    Task<std::string> content_of(std::string url_asked) {
        auto response = co_await client.get(std::move(url_asked));
        co_return co_await response.all();
    }

    const std::string certificate = make_certificate();
    const std::shared_ptr<http::Layer> layer = *tls::open({.certificates = {{certificate}}});
    web::Client client{{.tls = *tls::open_client({.ca = certificate})}};
    tests::ScriptedHandler handler;
    tests::Server upstream{
        *engines::find("per-core"),
        handler,
        {.connect = [this](http::Workspace& workspace, http::Origin& origin, Now now) {
            return layer->connect(workspace, origin, now);
        }}};
};

TEST_F(RunTls, AsksAServer) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(run(content_of(url("localhost"))), "hello\n");
}

TEST_F(RunTls, ServerMustHaveACertificateForItsHost) {
    EXPECT_THROW(run(content_of(url("127.0.0.1"))), web::ClientError);
}

}  // namespace
}  // namespace weir::server
