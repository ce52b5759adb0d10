#pragma once

#include "cli/options/option_reader.h"

namespace weir::cli {

struct MarkdownOptions {
    bool on = false;
};

/// Reads the option that shows Markdown files as pages.
class MarkdownReader {
   public:
    /// Both arguments must outlive this object.
    MarkdownReader(OptionReader& reader, MarkdownOptions& options)
        : reader_{reader}, options_{options} {}

    /// Adds the option to the present group.
    void add();

   private:
    OptionReader& reader_;
    MarkdownOptions& options_;
};

}  // namespace weir::cli
