#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options of TLS.
class TlsReader {
   public:
    /// Both arguments must outlive this object.
    TlsReader(OptionReader& reader, LaunchOptions& options) : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish();

   private:
    void check_unused() const;
    void check_redirects() const;
    void pair_certificates();
    void check_clients();

    OptionReader& reader_;
    LaunchOptions& options_;
    std::optional<OwnCertificate> own_;  // empty: --tls is not given
    std::vector<std::string> chains_;
    std::vector<std::string> keys_;
    bool hsts_ = false;
    bool no_h2_ = false;
    std::vector<const OptionReader::Added*> needing_tls_;
    const OptionReader::Added* own_option_ = nullptr;
    const OptionReader::Added* hsts_option_ = nullptr;
    const OptionReader::Added* no_h2_option_ = nullptr;
    const OptionReader::Added* client_auth_ = nullptr;
};

}  // namespace weir::cli
