#pragma once

#include <openssl/x509.h>

#include <cstdint>
#include <string>

namespace weir::tls {

/// The validity of a certificate or an OCSP response, in Unix seconds.
struct Validity {
    static constexpr std::int64_t a_week = 7L * 24 * 60 * 60;

    std::string name;  // "the certificate of example.org in a.pem"
    std::int64_t from = 0;
    std::int64_t until = 0;
    std::int64_t told_before = a_week;  // the warning comes so long before `until`, in seconds

    /// A warning for the operator: "... expired on 2027-02-20". Empty if there is none.
    std::string sentence(std::int64_t now) const;
    /// The time of the next warning; INT64_MAX: never.
    std::int64_t next(std::int64_t now) const noexcept;
};

Validity validity_of(const X509& certificate, std::string name);
std::int64_t unix_seconds_of(const ASN1_TIME& time);

}  // namespace weir::tls
