#include <fcntl.h>
#include <openssl/x509v3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "net/system/system_limits.h"
#include "net/uninterrupted.h"
#include "net/unique_fd.h"
#include "tls/files/private_file.h"
#include "tls/openssl/certificate_text.h"
#include "tls/openssl/made_certificate.h"
#include "tls/openssl/pem_files.h"
#include "tls/openssl/pem_text.h"
#include "weir/tls/tls.h"

namespace weir::tls {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t day = 24L * 60 * 60;
constexpr int days = 365;  // browsers accept 398 at most
constexpr std::time_t renewed_before = 30 * day;
constexpr int ca_days = 3650;
constexpr std::time_t ca_renewed_before = 400 * day;  // a CA outlives what it signs

using Done = std::expected<void, std::string>;

std::unexpected<std::string> failure(const std::string& what, int error) {
    const std::error_code code{error, std::generic_category()};
    return std::unexpected{net::with_limit(what, code) + ": " + code.message()};
}

/// A common name has 64 characters at most (RFC 5280, ub-common-name).
std::string name_of_ca() {
    constexpr std::size_t host_size_max = 44;
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) return "weir, local CA";
    return "weir, local CA of " + std::string{host.data()}.substr(0, host_size_max);
}

bool is_for_all(const X509& certificate, const std::vector<std::string>& names) {
    const auto has = names_of(certificate);
    return std::ranges::all_of(names, [&](const std::string& name) {
        return std::ranges::find(has, canonical_name(name)) != has.end();
    });
}

bool is_valid_for(std::time_t seconds, const X509& certificate) {
    std::time_t then = std::time(nullptr) + seconds;
    return X509_cmp_time(X509_get0_notAfter(&certificate), &then) > 0;
}

bool is_ca(X509& certificate) { return X509_check_ca(&certificate) == 1; }

Done make_folder(const fs::path& folder) {
    std::error_code error;
    if (!fs::create_directories(folder, error) && error)
        return failure("cannot make " + folder.string(), error.value());
    return {};
}

/// Keeps other processes from making the same files. A file system without locks has none.
net::UniqueFd lock(const fs::path& folder) {
    net::UniqueFd held{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (held) net::uninterrupted([&] { return ::flock(held.get(), LOCK_EX); });
    return held;
}

Done write(const CertificateFiles& files, const MadeCertificate& made) {
    std::error_code ignored;
    fs::permissions(fs::path{files.chain}.parent_path(), fs::perms::owner_all, ignored);
    if (auto written = write_private(files.key, made.key); !written) return written;
    return write_private(files.chain, made.certificate);
}

/// Formats a fingerprint as browsers and openssl(1) show it: "AB:CD:...".
std::string with_colons(std::string_view digits) {
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i != 0 && i % 2 == 0) out += ':';
        out += static_cast<char>(digits[i] >= 'a' ? digits[i] - 'a' + 'A' : digits[i]);
    }
    return out;
}

struct Kept {
    CertificateHandle certificate;
    KeyHandle key;
    KeptCertificate facts;

    Done read() {
        auto read = read_certificate(facts.files.chain);
        if (!read) return std::unexpected{std::move(read.error())};
        auto read_its_key = read_key(facts.files.key, facts.files.chain, **read);
        if (!read_its_key) return std::unexpected{std::move(read_its_key.error())};
        certificate = std::move(*read);
        key = std::move(*read_its_key);
        return {};
    }
};

/// The reason why files cannot be used may pass.
enum class Unusable : std::uint8_t { replace, refuse };

/// Takes the certificate of the files NAME.crt and NAME.key in the folder, if it is good and has
/// its key. Otherwise makes another one.
template <typename IsGood, typename Make>
std::expected<Kept, std::string> keep(const std::string& folder, const char* name,
                                      Unusable unusable, IsGood is_good, Make make) {
    if (auto made = make_folder(folder); !made) return std::unexpected{made.error()};
    const net::UniqueFd locked = lock(folder);
    const std::string path = (fs::path{folder} / name).string();
    Kept kept{.certificate = {}, .key = {}, .facts = {}};
    kept.facts.files = {path + ".crt", path + ".key"};
    const auto read = kept.read();
    std::error_code error;
    if (!read && unusable == Unusable::refuse && fs::exists(kept.facts.files.chain, error))
        return std::unexpected{read.error() + "; to have others made, remove " + path +
                               ".crt and " + path + ".key"};
    if (!read || !is_good(*kept.certificate)) {
        const auto made = make();
        if (!made) return std::unexpected{made.error()};
        if (auto written = write(kept.facts.files, *made); !written)
            return std::unexpected{written.error()};
        if (auto again = kept.read(); !again) return std::unexpected{again.error()};
        kept.facts.is_new = true;
    }
    kept.facts.fingerprint = with_colons(fingerprint_of(*kept.certificate));
    kept.facts.valid_until = valid_until(*kept.certificate);
    return kept;
}

/// Programs trust a CA, so no other one takes its place unasked.
std::expected<Kept, std::string> keep_ca(const std::string& folder) {
    return keep(
        folder, "local-ca", Unusable::refuse,
        [](X509& ca) { return is_ca(ca) && is_valid_for(ca_renewed_before, ca); },
        [] { return make_ca(name_of_ca(), ca_days); });
}

std::expected<KeptCertificate, std::string> facts_of(std::expected<Kept, std::string> kept) {
    if (!kept) return std::unexpected{std::move(kept.error())};
    return std::move(kept->facts);
}

}  // namespace

std::expected<KeptCertificate, std::string> keep_self_signed(
    const std::string& folder, const std::vector<std::string>& names) {
    return facts_of(keep(
        folder, "weir", Unusable::replace,
        [&](const X509& one) {
            return is_valid_for(renewed_before, one) && is_for_all(one, names);
        },
        [&] { return make_self_signed(names, days); }));
}

std::expected<KeptCertificate, std::string> keep_local_ca(const std::string& folder) {
    return facts_of(keep_ca(folder));
}

std::expected<KeptCertificate, std::string> keep_locally_signed(
    const std::string& folder, const std::vector<std::string>& names) {
    const auto ca = keep_ca(folder);
    if (!ca) return std::unexpected{ca.error()};
    return facts_of(keep(
        folder, "local", Unusable::replace,
        [&](X509& one) {
            return is_valid_for(renewed_before, one) && is_for_all(one, names) &&
                   X509_verify(&one, ca->key.get()) == 1;
        },
        [&] { return make_signed(names, days, {*ca->certificate, *ca->key}); }));
}

std::expected<CaCertificate, std::string> read_ca(const std::string& path) {
    const auto certificate = read_certificate(path);
    if (!certificate) return std::unexpected{certificate.error()};
    if (!is_ca(**certificate))
        return std::unexpected{path + ": this is the certificate of a server, and not of a CA"};
    return CaCertificate{.pem = pem_of(**certificate),
                         .fingerprint = with_colons(fingerprint_of(**certificate))};
}

}  // namespace weir::tls
