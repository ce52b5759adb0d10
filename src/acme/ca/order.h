#pragma once

#include <string>

#include "acme/ca/ca.h"
#include "acme/folder/challenges.h"
#include "weir/web/task.h"

namespace weir::acme {

/// The certificate that is wanted.
struct Order {
    std::string host;
    std::string replaces{};  // Certificate::id of the one before; empty: there is none
    std::string request;     // CertificateRequest::der
};

/// Orders a certificate, proves that this machine serves the host, and returns the chain in PEM
/// (RFC 8555 7.4). Throws Problem and web::ClientError. `ca` and `challenges` are borrowed.
web::Task<std::string> obtain(Ca& ca, Challenges& challenges, Order order);

}  // namespace weir::acme
