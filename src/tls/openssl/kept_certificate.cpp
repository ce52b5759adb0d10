#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "net/system/system_limits.h"
#include "net/unique_fd.h"
#include "net/write_all.h"
#include "tls/openssl/certificate_text.h"
#include "tls/openssl/pem_files.h"
#include "tls/openssl/self_signed.h"
#include "weir/tls/tls.h"

namespace weir::tls {
namespace {

namespace fs = std::filesystem;

constexpr int days = 365;
constexpr std::time_t renewed_before = 30L * 24 * 60 * 60;

using Done = std::expected<void, std::string>;

std::unexpected<std::string> failure(const std::string& what, int error) {
    const std::error_code code{error, std::generic_category()};
    return std::unexpected{net::with_limit(what, code) + ": " + code.message()};
}

/// Writes a file that exists whole or not at all, with mode 0600.
Done write_private(const fs::path& path, std::string_view text) {
    const std::string temporary = path.string() + ".new";
    ::unlink(temporary.c_str());
    const net::UniqueFd file{
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)};
    if (!file || !net::write_all(file.get(), text) || ::fsync(file.get()) != 0 ||
        ::rename(temporary.c_str(), path.c_str()) != 0)
        return failure("cannot write " + path.string(), errno);
    return {};
}

bool is_for_all(const X509& certificate, const std::vector<std::string>& names) {
    const auto has = names_of(certificate);
    return std::ranges::all_of(names, [&](const std::string& name) {
        return std::ranges::find(has, canonical_name(name)) != has.end();
    });
}

bool is_still_good(const X509* certificate, const CertificateFiles& files,
                   const std::vector<std::string>& names) {
    if (!certificate || !read_key(files.key, files.chain, *certificate)) return false;
    std::time_t soon = std::time(nullptr) + renewed_before;
    return X509_cmp_time(X509_get0_notAfter(certificate), &soon) > 0 &&
           is_for_all(*certificate, names);
}

Done make(const CertificateFiles& files, const std::vector<std::string>& names) {
    std::error_code error;
    const fs::path folder = fs::path{files.chain}.parent_path();
    fs::create_directories(folder, error);
    if (error) return failure("cannot make " + folder.string(), error.value());
    fs::permissions(folder, fs::perms::owner_all, error);
    const auto made = make_self_signed(names, days);
    if (!made) return std::unexpected{made.error()};
    if (auto written = write_private(files.key, made->key); !written) return written;
    return write_private(files.chain, made->certificate);
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

}  // namespace

std::expected<SelfSigned, std::string> keep_self_signed(const std::string& folder,
                                                        const std::vector<std::string>& names) {
    SelfSigned kept{.files = {(fs::path{folder} / "weir.crt").string(),
                              (fs::path{folder} / "weir.key").string()},
                    .fingerprint = {},
                    .valid_until = {}};
    auto certificate = read_certificate(kept.files.chain);
    if (!is_still_good(certificate ? certificate->get() : nullptr, kept.files, names)) {
        if (auto made = make(kept.files, names); !made) return std::unexpected{made.error()};
        certificate = read_certificate(kept.files.chain);
        kept.is_new = true;
    }
    if (!certificate) return std::unexpected{certificate.error()};
    kept.fingerprint = with_colons(fingerprint_of(**certificate));
    kept.valid_until = valid_until(**certificate);
    return kept;
}

}  // namespace weir::tls
