#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// The options of a server, whatever it serves: the same for every command that runs one.
class LaunchReader {
   public:
    /// Both outlive it.
    LaunchReader(OptionReader& reader, LaunchOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks options against each other. Throws WrongUse.
    void finish();

   private:
    void add_server_options();
    void add_log_options();
    void add_limits();
    void check_engine() const;

    OptionReader& reader_;
    LaunchOptions& options_;
    std::vector<std::string> addresses_;  // in place of the default, not added to it
    std::optional<std::string> access_log_;
    std::uint32_t head_bytes_max_ = 0;
    // Those that not every engine takes.
    const OptionReader::Added* workers_ = nullptr;
    const OptionReader::Added* pin_ = nullptr;
    const OptionReader::Added* queue_ = nullptr;
    const OptionReader::Added* busy_poll_ = nullptr;
};

}  // namespace weir::cli
