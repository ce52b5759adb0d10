// HTTP/2 that ALPN has chosen, through TLS and through a fake of it.

#include "contract/http2.h"
#include "contract/secure.h"

namespace weir::tests {
namespace {

/// Of the suite that is running: it is instantiated for each.
Security security_of_suite() {
    const std::string_view suite = ::testing::UnitTest::GetInstance()->current_test_suite()->name();
    return suite.starts_with("Fake") ? Security::fake : Security::openssl;
}

}  // namespace

Http2::Http2() {
    const Security security = security_of_suite();
    const auto factories = std::make_shared<tls::TlsFactories>(factories_of(security));
    options.connect = [factories, connect = connect_through(*factories)](
                          http::Workspace& workspace, http::Origin& origin, Now now) {
        return connect(workspace, origin, now);
    };
    open_ = [security](Client socket, std::string_view protocol) {
        auto peer =
            std::make_unique<SecureClient>(unopened_client(security, std::move(socket), protocol));
        peer->shake_hands();
        return peer;
    };
}

INSTANTIATE_TEST_SUITE_P(Fake, Http2, ::testing::ValuesIn(every_engine()), name_of_engine);
INSTANTIATE_TEST_SUITE_P(OpenSsl, Http2, ::testing::ValuesIn(every_engine()), name_of_engine);

}  // namespace weir::tests
