#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tls/openssl/handles.h"

namespace weir::acme {

/// The facts of a certificate that decide about its renewal.
struct Certificate {
    std::int64_t from = 0;  // in Unix seconds
    std::int64_t until = 0;
    std::string last_day;         // "2027-02-20"
    bool is_placeholder = false;  // self-signed: no CA has given it
    std::string id;  // for the renewal information of its CA (RFC 9773 4.1); empty: it has none
};

Certificate facts_of(X509& certificate);
/// The first certificate of a file. Nothing if the file has none that can be used for the host, or
/// no key for it.
std::optional<Certificate> read_certificate(const std::string& path, const std::string& host);

/// Returns the reason why a chain (PEM) is no answer to a request; empty if it is one.
std::string why_useless(const std::string& chain, EVP_PKEY& key, const std::string& host);

}  // namespace weir::acme
