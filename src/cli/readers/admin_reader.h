#pragma once

#include "cli/options/launch_options.h"
#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options for those who watch the server.
class AdminReader {
   public:
    /// Both must outlive it.
    AdminReader(OptionReader& reader, LaunchOptions& options)
        : reader_{reader}, options_{options} {}

    void add();
    /// Checks that the options fit together. Throws WrongUse.
    void finish() const;

   private:
    OptionReader& reader_;
    LaunchOptions& options_;
    const OptionReader::Added* address_ = nullptr;
};

}  // namespace weir::cli
