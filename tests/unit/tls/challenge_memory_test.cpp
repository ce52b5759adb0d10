// Handshakes of a challenge for which there is not enough memory.

#include <array>

#include "faults/failing_new.h"
#include "unit/tls/failing_openssl.h"
#include "unit/tls/openssl_fixture.h"

namespace weir::tls {
namespace {

using tests::FailingNew;
using Status = Session::Status;

const std::string internal_error = "\x02\x50";  // the end of its alert (RFC 8446 6)

/// A client that has said hello, and the session that takes it.
struct ChallengeMemory : OpenSsl {
    ChallengeMemory() {
        const auto pem = make_challenge("a.test", std::array<unsigned char, 32>{}).value();
        std::filesystem::create_directory(folder / "challenges");
        expected = read(write("challenges/a.test.pem", pem));
        served = context(
            {.certificates = {certificate({"a.test"})}, .challenges = folder / "challenges"});
        take_hello();
        EXPECT_EQ(status, Status::wants_input) << "what OpenSSL makes once is there then";
    }

    template <typename Before>
    void take_hello(Before before) {
        OpenSslClient client{{.name = "a.test", .protocols = on_the_wire({"acme-tls/1"})}};
        client.shake_hands();
        const std::string hello = client.take();
        const auto session = served->session();
        std::string_view in = hello;
        std::array<char, 16 * 1024> room;
        Ciphertext out{room};
        before();
        status = FailingNew::strike([&] { return session->shake_hands(in, out); });
        FailingOpenSsl::clear();
        FailingNew::clear();
        said = out.bytes();
        client.give(said);
        client.shake_hands();
        const X509* const shown = SSL_get0_peer_certificate(client.ssl());
        shows_another = shown && X509_cmp(shown, expected.get()) != 0;
    }
    void take_hello() {
        take_hello([] {});
    }

    std::shared_ptr<const Context> served;
    CertificateHandle expected;
    Status status = Status::failed;
    bool shows_another = false;
    std::string said;
};

TEST_F(ChallengeMemory, OfTheProgramFails) {
    int nth = 1;
    for (;; ++nth) {
        take_hello([&] { FailingNew::fail(nth); });
        if (FailingNew::failed() == 0) break;
        EXPECT_EQ(status, Status::failed) << nth;
        EXPECT_TRUE(said.ends_with(internal_error)) << nth;
    }
    EXPECT_GT(nth, 1);
    EXPECT_EQ(status, Status::wants_input);
}

TEST_F(ChallengeMemory, OfOpenSslFails) {
    int failed = 0;
    for (long nth = 1;; nth += FailingOpenSsl::stride) {
        take_hello([&] { FailingOpenSsl::fail(nth); });
        if (!FailingOpenSsl::has_failed()) break;
        if (status == Status::failed) ++failed;
        EXPECT_FALSE(shows_another) << nth;
    }
    EXPECT_GT(failed * FailingOpenSsl::stride, 100);
    EXPECT_EQ(status, Status::wants_input);
}

}  // namespace
}  // namespace weir::tls
