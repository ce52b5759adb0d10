#pragma once

#include "cli/options/option_reader.h"
#include "cli/serve/serve_options.h"

namespace weir::cli {

/// Reads the options on listings of folders.
class ListingReader {
   public:
    ListingReader(OptionReader& reader, SiteOptions& options) noexcept
        : reader_{reader}, options_{options} {}

    /// Adds the options to the present group.
    void add();
    void finish() const;

   private:
    OptionReader& reader_;
    SiteOptions& options_;
    const OptionReader::Added* listing_ = nullptr;
    const OptionReader::Added* no_listing_ = nullptr;
};

}  // namespace weir::cli
