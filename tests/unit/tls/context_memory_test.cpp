#include "unit/tls/failing_openssl.h"
#include "unit/tls/openssl_fixture.h"

namespace weir::tls {
namespace {

using ContextMemory = OpenSsl;

TEST_F(ContextMemory, AContextThatIsMadeServesAlthoughAnAllocationFailed) {
    ASSERT_TRUE(FailingOpenSsl::is_in_use());
    const Settings settings{.certificates = {certificate({"localhost"})}};
    ASSERT_TRUE(context(settings)) << "what OpenSSL makes once is there then";
    int made = 0, refused = 0;
    for (long nth = 1;; nth += FailingOpenSsl::stride) {
        FailingOpenSsl::fail(nth);
        const auto tried = Context::make(settings, common);
        FailingOpenSsl::clear();
        if (!FailingOpenSsl::has_failed()) break;
        ++(tried ? made : refused);
        if (!tried) {
            EXPECT_FALSE(tried.error().empty()) << nth;
            continue;
        }
        // OpenSSL leaves out an algorithm for which it had no memory: the handshake may fail. It
        // must find the context, for a ticket.
        TlsDriver server{http::hello, (*tried)->session()};
        OpenSslClient client{{.name = "localhost"}};
        talk(client, server);
    }
    EXPECT_GT(made, 0);
    EXPECT_GT(refused * FailingOpenSsl::stride, 100);
}

}  // namespace
}  // namespace weir::tls
