#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "cli/options/launch_options.h"

namespace weir::cli {

struct TlsSetup {
    std::shared_ptr<http::Layer> layer;  // null: TLS is off
    std::string in_words;                // lines for the banner, about a certificate that weir made
    std::vector<std::string> reads;      // while it serves
};

/// Where weir keeps the key of the certificate that it makes; empty if there is no place for it.
std::string own_key();

/// Reads the certificates, or makes one. Or a sentence that says why it can't.
std::expected<TlsSetup, std::string> set_up_tls(const LaunchOptions& options);

}  // namespace weir::cli
