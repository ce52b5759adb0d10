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
    std::vector<std::string> reads;      // files that the layer reads while the server runs
    acme::Settings acme;                 // no hosts: no CA is asked
};

/// The paths of the keys that weir makes for certificates of its own; none if there is no place for
/// them.
std::vector<std::string> own_keys();

/// Reads the certificates, or makes one. The error is a sentence.
std::expected<TlsSetup, std::string> set_up_tls(const LaunchOptions& options);

}  // namespace weir::cli
