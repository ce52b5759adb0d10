#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::acme {

inline constexpr std::string_view lets_encrypt = "https://acme-v02.api.letsencrypt.org/directory";
/// Its CA for tests: no browser trusts it, and its limits are high.
inline constexpr std::string_view lets_encrypt_staging =
    "https://acme-staging-v02.api.letsencrypt.org/directory";

/// An account that the operator has with a CA (RFC 8555 7.3.4).
struct ExternalAccount {
    std::string id;
    std::string key;  // the bytes of the key for HMAC
};

/// The account with a CA (RFC 8555 7.3).
struct Applicant {
    std::string email{};  // for messages of the CA; empty: none
    std::optional<ExternalAccount> external{};
};

struct Settings {
    /// Host names, in lower case. Each gets a certificate of its own.
    std::vector<std::string> hosts{};
    std::string directory{lets_encrypt};  // the URL of the CA
    /// CA certificates (PEM) for TLS to the CA. Empty: those of the system.
    std::string ca{};
    std::string folder{};  // for this CA; it is made if there is none
    Applicant applicant{};
    /// False: nothing answers at port 80, so the challenge tls-alpn-01 comes first.
    bool answers_http = true;
};

/// Receives sentences for the operator.
using Tell = std::function<void(bool is_failure, std::string_view sentence)>;

// ---- the files of Settings::folder ----

/// The key of the account. The server does not read the folder itself, but the two below.
inline std::string account_path(const std::string& folder) { return folder + "/account.key"; }
inline std::string certificates_path(const std::string& folder) { return folder + "/certificates"; }
/// A host's certificate and its key.
inline std::string certificate_path(const std::string& folder, const std::string& host) {
    return certificates_path(folder) + '/' + host + ".pem";
}
/// The folder of answers to challenges: for answering() and tls::Settings::challenges.
inline std::string challenges_path(const std::string& folder) { return folder + "/challenges"; }

}  // namespace weir::acme
