#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "access/request/request_path.h"
#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options of output and logs.
class LogReader {
   public:
    /// Both arguments must outlive this object.
    LogReader(OptionReader& reader, LaunchOptions& options) : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish();

    /// A word, or a text for AccessLogOptions::own_format.
    struct Format {
        server::AccessLogOptions::Format format = server::AccessLogOptions::Format::combined;
        std::string own{};
    };
    /// A size in bytes, or each day.
    struct Rotation {
        std::uint64_t bytes = 0;
        bool is_daily = false;
    };

   private:
    void add_selection();
    void add_rotation();
    void check_rotation() const;

    OptionReader& reader_;
    LaunchOptions& options_;
    std::optional<std::string> path_;
    Format format_;
    std::vector<access::Paths> skipped_;
    Rotation rotation_;
    const OptionReader::Added* rotate_ = nullptr;
    const OptionReader::Added* keep_ = nullptr;
};

}  // namespace weir::cli
