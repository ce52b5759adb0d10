#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "acme/settings/settings.h"
#include "weir/http/handler.h"

/// Certificates that a CA gives by itself (RFC 8555), for a server that watches their files. The
/// floor has two parts that share a folder: one asks the CA, and has a process of its own; the other
/// answers the CA's challenges in the server.
namespace weir::acme {

/// The reason why this build has none of it; empty if it has.
std::string_view unavailable() noexcept;

/// Makes the folders, the key of the account, and for each host without a certificate one that is
/// self-signed, so that a server can begin. The error is a sentence.
std::expected<void, std::string> prepare(const Settings& settings);

/// Gets certificates and renews them on the calling thread, for ever: a server that watches the
/// files takes over each new one. Several machines may share the folder. prepare() comes first.
/// Returns a sentence if it cannot begin.
std::string keep(const Settings& settings, const Tell& tell);

/// A handler around a handler that answers the challenge http-01 (RFC 8555 8.3) from a folder. All
/// other requests, and those for unknown tokens, are the inner handler's, which must outlive it.
std::unique_ptr<http::Handler> answering(http::Handler& inner, const std::string& folder);

}  // namespace weir::acme
