#pragma once

#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options of a server that is reloaded, upgraded and drained.
class OperateReader {
   public:
    /// Both must outlive it.
    OperateReader(OptionReader& reader, LaunchOptions& options)
        : reader_{reader}, options_{options} {}

    void add();

   private:
    OptionReader& reader_;
    LaunchOptions& options_;
};

/// "unix:/run/weir/control", or the path alone.
Parsed<net::Address> parse_control(std::string_view text);

}  // namespace weir::cli
