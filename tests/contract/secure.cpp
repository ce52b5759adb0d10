#include "contract/secure.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "http/http1/http1_connection.h"
#include "http/http2/http2_connection.h"
#include "support/fake_tls.h"
#include "tls/openssl/context.h"
#include "tls/openssl/made_certificate.h"

namespace weir::tests {
namespace {

/// Made once for all tests.
std::shared_ptr<const tls::Context> openssl_context() {
    static const auto context = [] {
        const auto made = tls::make_self_signed({"localhost"}, 1).value();
        const auto file = std::filesystem::temp_directory_path() /
                          ("weir-contract-" + std::to_string(::getpid()) + ".pem");
        std::ofstream{file} << made.certificate << made.key;
        const auto common = std::make_shared<tls::Context::Common>();
        common->protocols = tls::on_the_wire({"h2", "http/1.1"});
        auto opened = tls::Context::make({.certificates = {{file.string()}}}, common).value();
        std::filesystem::remove(file);
        return opened;
    }();
    return context;
}

std::unique_ptr<http::Connection> speak(std::string_view name, http::Workspace& workspace,
                                        http::Origin& origin, Now now) {
    if (name == "h2") return std::make_unique<http::Http2Connection>(workspace, origin, now);
    return std::make_unique<http::Http1Connection>(workspace, origin, now);
}

}  // namespace

tls::TlsFactories factories_of(Security security) {
    return {.session = [security]() -> std::unique_ptr<tls::Session> {
                if (security == Security::fake) return std::make_unique<FakeSession>();
                return openssl_context()->session();
            },
            .protocol = speak};
}

Server::Connect connect_through(const tls::TlsFactories& factories) {
    return [&factories](http::Workspace& workspace, http::Origin& origin, Now now) {
        if (!workspace.layer) workspace.layer = std::make_unique<tls::Buffers>();
        return std::make_unique<tls::TlsConnection>(factories, workspace, origin, now);
    };
}

SecureClient unopened_client(Security security, Client socket, std::string_view protocol) {
    return {std::move(socket),
            security == Security::fake ? make_fake_wire(protocol) : make_openssl_wire(protocol)};
}

}  // namespace weir::tests
