// What TlsConnection and OpenSSL add to a slow download.

#include "contract/secure.h"
#include "contract/slow_download.h"

namespace weir::tests {
namespace {

struct SlowDownloadThroughTls : SlowDownload {
    SlowDownloadThroughTls() { options.connect = connect_through(factories); }

    std::unique_ptr<SecureClient> secure_client(std::string_view protocol) {
        auto peer = std::make_unique<SecureClient>(
            unopened_client(Security::openssl, client_of_proxy(), protocol));
        peer->shake_hands();
        return peer;
    }

    const tls::TlsFactories factories = factories_of(Security::openssl);
};
WEIR_OVER_EVERY_ENGINE(SlowDownloadThroughTls);

TEST_P(SlowDownloadThroughTls, OfHttp1IsNotHeld) {
    expect_little_of_http1(*secure_client("http/1.1"));
}

TEST_P(SlowDownloadThroughTls, OfHttp2IsNotHeld) { expect_little_of_http2(secure_client("h2")); }

}  // namespace
}  // namespace weir::tests
