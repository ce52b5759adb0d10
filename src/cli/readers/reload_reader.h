#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "cli/options/option_reader.h"
#include "net/address.h"

namespace weir::cli {

/// Options of a server that reads its options again while it runs.
struct ReloadOptions {
    std::optional<net::Address> control;              // the socket for `weir reload`
    std::chrono::milliseconds ready_timeout{30'000};  // 0: no limit
};

/// Reads ReloadOptions.
class ReloadReader {
   public:
    /// Both arguments must outlive this object.
    ReloadReader(OptionReader& reader, ReloadOptions& options)
        : reader_{reader}, options_{options} {}

    void add();

   private:
    OptionReader& reader_;
    ReloadOptions& options_;
};

/// Parses "unix:/run/weir/control", or the path alone.
Parsed<net::Address> parse_control(std::string_view text);

}  // namespace weir::cli
