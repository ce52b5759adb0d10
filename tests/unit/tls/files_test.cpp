// What weir-tls does with files: a certificate of its own, and certificates that change.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "http/layer.h"
#include "net/unique_fd.h"
#include "tls/files/file_watch.h"
#include "tls/openssl/certificate_text.h"
#include "tls/tls_layer.h"
#include "unit/tls/openssl_fixture.h"

namespace weir::tls {
namespace {

using KeptFiles = OpenSsl;
using Result = http::Layer::Renewal::Result;

/// Waits until `take` has said yes; false after ten seconds.
template <typename Take>
bool comes(int fd, Take take) {
    for (int tries = 0; tries < 100; ++tries) {
        pollfd watched{fd, POLLIN, 0};
        if (::poll(&watched, 1, 10'000) <= 0) return false;
        if (take()) return true;
    }
    return false;
}

TEST_F(KeptFiles, ACertificateOfItsOwnIsMadeOnceAndKept) {
    const std::string place = folder / "state/weir";
    const auto made = keep_self_signed(place, {"localhost", "127.0.0.1", "::1"}).value();
    EXPECT_TRUE(made.is_new);
    struct stat status{};
    ASSERT_EQ(::stat(made.files.key.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    EXPECT_EQ(made.fingerprint.size(), 95u) << made.fingerprint;
    const auto certificate = read(made.files.chain);
    EXPECT_EQ(names_of(*certificate), (std::vector<std::string>{"localhost", "127.0.0.1", "::1"}));
    EXPECT_EQ(valid_until(*certificate), made.valid_until);

    const auto kept = keep_self_signed(place, {"LocalHost", "0:0:0:0:0:0:0:1"}).value();
    EXPECT_FALSE(kept.is_new);
    EXPECT_EQ(kept.fingerprint, made.fingerprint);
    const auto other = keep_self_signed(place, {"localhost", "new.test"}).value();
    EXPECT_TRUE(other.is_new);
    EXPECT_NE(other.fingerprint, made.fingerprint);
}

TEST_F(KeptFiles, ACertificateThatEndsSoonIsReplaced) {
    const auto made = make_self_signed({"localhost"}, 20).value();
    write("weir.crt", made.certificate);
    write("weir.key", made.key);
    EXPECT_TRUE(keep_self_signed(folder, {"localhost"}).value().is_new);
    write("weir.key", made.key);  // of another certificate
    EXPECT_TRUE(keep_self_signed(folder, {"localhost"}).value().is_new);
}

std::string text_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

TEST_F(KeptFiles, ALocalCaIsMadeOnceAndSignsForServersAlone) {
    const std::string place = folder / "ca";
    const auto ca = keep_local_ca(place).value();
    EXPECT_TRUE(ca.is_new);
    struct stat status{};
    ASSERT_EQ(::stat(ca.files.key.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    const auto one = keep_locally_signed(place, {"localhost", "127.0.0.1"}).value();
    EXPECT_TRUE(one.is_new);
    EXPECT_EQ(keep_local_ca(place).value().fingerprint, ca.fingerprint);
    EXPECT_FALSE(keep_locally_signed(place, {"localhost"}).value().is_new);

    const auto root = read(ca.files.chain), leaf = read(one.files.chain);
    EXPECT_EQ(X509_check_issued(root.get(), leaf.get()), X509_V_OK);
    EXPECT_EQ(X509_verify(leaf.get(), X509_get0_pubkey(root.get())), 1);
    EXPECT_EQ(X509_get_pathlen(root.get()), 0) << "it signs no other CA";
    EXPECT_EQ(X509_check_ca(leaf.get()), 0);
    EXPECT_EQ(names_of(*leaf), (std::vector<std::string>{"localhost", "127.0.0.1"}));
}

TEST_F(KeptFiles, ACertificateOfAnotherCaIsReplaced) {
    const std::string place = folder / "ca";
    const auto first = keep_locally_signed(place, {"localhost"}).value();
    std::filesystem::remove(place + "/local-ca.crt");
    const auto second = keep_locally_signed(place, {"localhost"}).value();
    EXPECT_TRUE(second.is_new);
    EXPECT_NE(second.fingerprint, first.fingerprint);
    EXPECT_TRUE(keep_locally_signed(place, {"localhost", "new.test"}).value().is_new);
}

TEST_F(KeptFiles, ALocalCaThatCanNotBeUsedIsNotReplaced) {
    const std::string place = folder / "ca";
    const auto ca = keep_local_ca(place).value();
    const std::string key = text_of(ca.files.key);
    for (const std::string_view text : {std::string_view{}, std::string_view{"no key"}}) {
        write("ca/local-ca.key", text);
        const auto kept = keep_locally_signed(place, {"localhost"});
        ASSERT_FALSE(kept);
        EXPECT_TRUE(kept.error().contains("to have others made, remove " + ca.files.chain))
            << kept.error();
    }
    write("ca/local-ca.key", key);
    EXPECT_EQ(keep_local_ca(place).value().fingerprint, ca.fingerprint);
}

TEST_F(KeptFiles, ProcessesThatStartTogetherMakeOneCa) {
    const std::string place = folder / "ca";
    std::vector<pid_t> others;
    for (int number = 0; number < 4; ++number) {
        const pid_t other = ::fork();
        if (other == 0) ::_exit(keep_locally_signed(place, {"localhost"}) ? 0 : 1);
        others.push_back(other);
    }
    for (const pid_t other : others) {
        int status = 0;
        ASSERT_EQ(::waitpid(other, &status, 0), other);
        EXPECT_EQ(status, 0);
    }
    EXPECT_FALSE(keep_locally_signed(place, {"localhost"}).value().is_new);
}

TEST_F(KeptFiles, AClientThatTrustsTheLocalCaAcceptsItsCertificates) {
    const std::string place = folder / "ca";
    const auto kept = keep_locally_signed(place, {"localhost"}).value();
    const auto made = context({.certificates = {kept.files}});
    for (const bool trusts : {true, false}) {
        TlsDriver server{http::hello, made->session()};
        OpenSslClient client{{.name = "localhost"}};
        SSL_set_verify(client.ssl(), SSL_VERIFY_PEER, nullptr);
        SSL_set1_host(client.ssl(), "localhost");
        X509_STORE* const store = X509_STORE_new();
        if (trusts) X509_STORE_load_file(store, (place + "/local-ca.crt").c_str());
        SSL_set0_verify_cert_store(client.ssl(), store);
        talk(client, server);
        EXPECT_EQ(SSL_get_verify_result(client.ssl()) == X509_V_OK, trusts);
    }
}

TEST_F(KeptFiles, ACertificateOfAServerIsNoCa) {
    const std::string place = folder / "ca";
    const auto kept = keep_locally_signed(place, {"localhost"}).value();
    EXPECT_TRUE(read_ca(kept.files.chain).error().contains("not of a CA"));
    EXPECT_TRUE(read_ca(folder / "nothing").error().contains("nothing"));
    const auto ca = keep_local_ca(place).value();
    // A key in the same file must not leave with the certificate.
    const auto both = write("both.pem", text_of(ca.files.key) + text_of(ca.files.chain));
    EXPECT_EQ(read_ca(both).value().pem, text_of(ca.files.chain));
    EXPECT_EQ(read_ca(both).value().fingerprint, ca.fingerprint);
}

TEST_F(KeptFiles, AFolderThatCanNotBeMadeIsNamed) {
    const auto file = write("file", "no folder");
    const auto kept = keep_self_signed(file + "/weir", {"localhost"});
    ASSERT_FALSE(kept);
    EXPECT_TRUE(kept.error().contains(file)) << kept.error();
}

TEST_F(KeptFiles, ChangesAreSeenOnceTheyRest) {
    const auto path = write("one.pem", "1");
    FileWatch watch;
    watch.watch({path});
    write("other.pem", "beside it");
    write("one.pem", "22");
    EXPECT_TRUE(comes(watch.fd(), [&] { return watch.take(); }));
    write("new.pem", "333");
    std::filesystem::rename(folder / "new.pem", path);
    EXPECT_TRUE(comes(watch.fd(), [&] { return watch.take(); }));
}

TEST_F(KeptFiles, ARequestCountsAsAChange) {
    FileWatch watch;
    watch.watch({write("one.pem", "1")});
    EXPECT_FALSE(watch.take());
    watch.request();
    EXPECT_TRUE(comes(watch.fd(), [&] { return watch.take(); }));
    EXPECT_FALSE(watch.take());
}

class Layers : public OpenSsl {
   protected:
    Layers() {
        const auto first = certificate({"localhost"});
        layer = open({.certificates = {first}}).value();
        layer->begin({.names = {"http/1.1"}, .make = {}});
    }
    http::Layer::Renewal renewal() {
        http::Layer::Renewal got;
        EXPECT_TRUE(comes(layer->renewal_fd(), [&] {
            got = layer->renew();
            return got.result != Result::nothing;
        }));
        return got;
    }

    std::shared_ptr<http::Layer> layer;
};

TEST_F(Layers, FilesThatChangeAreReadAgain) {
    certificate({"localhost"});
    const auto renewed = renewal();
    EXPECT_EQ(renewed.result, Result::done);
    EXPECT_TRUE(renewed.sentence.contains("localhost (until ")) << renewed.sentence;
}

TEST_F(Layers, WhatIsWrongChangesNothing) {
    const auto path = write("localhost.pem", "broken");
    const auto failed = renewal();
    EXPECT_EQ(failed.result, Result::failed);
    EXPECT_TRUE(failed.sentence.contains(path)) << failed.sentence;
    certificate({"localhost"});
    EXPECT_EQ(renewal().result, Result::done);
}

/// Here the chain is replaced after it was read, while the key is being read.
TEST_F(Layers, FilesThatChangeWhileTheyAreReadAreReadAgain) {
    const auto next = make_self_signed({"localhost", "second.test"}, 30).value();
    const std::string chain = folder / "localhost.pem", key = folder / "localhost.key";
    std::filesystem::remove(key);
    ASSERT_EQ(::mkfifo(key.c_str(), 0600), 0);
    layer->request_renewal();
    std::atomic<int> reloader = 0;
    const std::jthread server{[&] {
        EXPECT_EQ(renewal().result, Result::failed);
        ++reloader;
        EXPECT_TRUE(renewal().sentence.contains("second.test"));
        ++reloader;
    }};
    for (const int before : {0, 1}) {
        net::UniqueFd end;
        while (!end && reloader == before) {  // until weir reads the key
            end.reset(::open(key.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
            std::this_thread::yield();
        }
        if (before == 0) std::filesystem::rename(write("new.pem", next.certificate), chain);
        EXPECT_TRUE(!end || ::write(end.get(), next.key.data(), next.key.size()) > 0);
        end.reset();
        while (reloader == before) std::this_thread::yield();
    }
}

TEST_F(Layers, AreRenewedUponRequest) {
    layer->request_renewal();
    EXPECT_EQ(renewal().result, Result::done);
}

/// A certificate that is valid between these seconds from now.
class Validities : public OpenSsl {
   protected:
    CertificateFiles valid_between(long from, long until) const {
        const auto files = certificate({"a.test"});
        const auto made = read(files.chain);
        const BioHandle key_file{BIO_new_file(files.key.c_str(), "r")};
        const KeyHandle key{PEM_read_bio_PrivateKey(key_file.get(), nullptr, nullptr, nullptr)};
        X509_gmtime_adj(X509_getm_notBefore(made.get()), from);
        X509_gmtime_adj(X509_getm_notAfter(made.get()), until);
        X509_sign(made.get(), key.get(), EVP_sha256());
        const BioHandle out{BIO_new_file(files.chain.c_str(), "w")};
        PEM_write_bio_X509(out.get(), made.get());
        return files;
    }
    /// What is told first.
    static http::Layer::Renewal told(http::Layer& layer) {
        http::Layer::Renewal got;
        EXPECT_TRUE(comes(layer.renewal_fd(), [&] {
            got = layer.renew();
            return got.result != Result::nothing;
        }));
        return got;
    }
    /// One that ends a moment after `until`, and what a look at it says before that moment has passed. A
    /// busy machine may need more than one attempt.
    template <typename Look>
    auto looked_at_early(long until, Look look) {
        constexpr long moment = 2;
        for (;;) {
            const std::time_t begin = std::time(nullptr);
            auto layer = open({.certificates = {valid_between(-day, until + moment)}}).value();
            const http::Layer::Renewal seen = look(*layer);
            if (std::time(nullptr) < begin + moment) return std::pair{std::move(layer), seen};
        }
    }
    static constexpr long day = 24L * 60 * 60;
};

TEST_F(Validities, AreToldAtTheStart) {
    for (const auto& [from, until, words] :
         {std::tuple{-9 * day, -day, "the certificate of a.test in "},
          {-9 * day, -day, "a.test.pem expired on "},
          {day, 90 * day, "a.test.pem is not valid before "},
          {-day, 6 * day + 60, "a.test.pem expires on "},
          {-day, 6 * day + 60, ", in 6 days"},
          {-day, day + 60, ", in a day"},
          {-day, day / 2, ", in less than a day"}}) {
        const auto layer = open({.certificates = {valid_between(from, until)}}).value();
        const auto warning = told(*layer);
        EXPECT_EQ(warning.result, Result::failed);
        EXPECT_TRUE(warning.sentence.contains(words)) << warning.sentence;
        EXPECT_EQ(layer->renew().result, Result::nothing);  // once
    }
}

TEST_F(Validities, AreToldWhenTheWeekBeginsAndWhenTheyEnd) {
    const auto [week, nothing] =
        looked_at_early(7 * day, [](http::Layer& layer) { return layer.renew(); });
    EXPECT_EQ(nothing.result, Result::nothing);
    EXPECT_TRUE(told(*week).sentence.contains("expires on"));
    const auto [end, warning] = looked_at_early(0, told);
    EXPECT_TRUE(warning.sentence.contains("expires on"));
    EXPECT_TRUE(told(*end).sentence.contains("expired on"));
}

TEST_F(Validities, AreToldWhenTheFilesAreReadAgain) {
    const auto layer = open({.certificates = {certificate({"a.test"})}}).value();
    valid_between(-9 * day, -day);
    layer->request_renewal();
    EXPECT_EQ(told(*layer).result, Result::done);
    EXPECT_TRUE(told(*layer).sentence.contains("expired on"));
}

TEST_F(Validities, OfCertificatesOfCasAreToldToo) {
    const auto ca = valid_between(-9 * day, -day);
    std::filesystem::rename(ca.chain, folder / "ca.pem");
    const auto files = certificate({"b.test"});
    const BioHandle out{BIO_new_file(files.chain.c_str(), "a")};
    PEM_write_bio_X509(out.get(), read(folder / "ca.pem").get());
    BIO_flush(out.get());
    const auto layer = open({.certificates = {files}}).value();
    const auto warning = told(*layer);
    EXPECT_TRUE(warning.sentence.starts_with("the certificate of the CA CN=")) << warning.sentence;
}

TEST_F(KeptFiles, WhatIsReadLaterIsInFoldersAndWhereLinksLead) {
    std::filesystem::create_directories(folder / "archive");
    std::filesystem::create_directories(folder / "live");
    const auto files = certificate({"localhost"});
    std::filesystem::rename(files.chain, folder / "archive/c.pem");
    std::filesystem::create_symlink("../archive/c.pem", folder / "live/c.pem");
    const auto read = paths_read({.certificates = {{(folder / "live/c.pem").string(), files.key}}});
    EXPECT_EQ(read, (std::vector<std::string>{folder, folder / "archive", folder / "live"}));
    std::filesystem::create_directory(folder / "challenges");
    EXPECT_EQ(paths_read({.certificates = {files}, .challenges = folder / "challenges"}),
              (std::vector<std::string>{folder, folder / "challenges"}));
}

}  // namespace
}  // namespace weir::tls
