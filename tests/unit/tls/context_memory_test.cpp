// A separate program, because OpenSSL takes other allocators only before its first allocation.

#include <openssl/crypto.h>

#include <cstdlib>

#include "unit/tls/openssl_fixture.h"

namespace {

/// The allocation after so many others fails; 0: none does.
long allocations_left = 0;

bool fails() noexcept { return allocations_left > 0 && --allocations_left == 0; }

void* allocate(std::size_t size, const char*, int) { return fails() ? nullptr : std::malloc(size); }
void* reallocate(void* old, std::size_t size, const char*, int) {
    return fails() ? nullptr : std::realloc(old, size);
}
void release(void* block, const char*, int) { std::free(block); }

const bool is_counted = CRYPTO_set_mem_functions(allocate, reallocate, release) == 1;

}  // namespace

namespace weir::tls {
namespace {

using ContextMemory = OpenSsl;

TEST_F(ContextMemory, AContextThatIsMadeServesAlthoughAnAllocationFailed) {
    ASSERT_TRUE(is_counted);
    const Settings settings{.certificates = {certificate({"localhost"})}};
    ASSERT_TRUE(context(settings)) << "what OpenSSL makes once is there then";
    int made = 0, refused = 0;
    for (long nth = 1;; ++nth) {
        allocations_left = nth;
        const auto tried = Context::make(settings, common);
        const bool was_reached = std::exchange(allocations_left, 0) == 0;
        if (!was_reached) break;
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
    EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace weir::tls
