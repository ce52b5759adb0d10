#pragma once

#include "cli/options/option_reader.h"

namespace weir::cli {

struct MarkdownOptions {
    bool on = false;
};

/// Reads the option that shows Markdown files as pages.
class MarkdownReader {
   public:
    /// Both must outlive it.
    MarkdownReader(OptionReader& reader, MarkdownOptions& options)
        : reader_{reader}, options_{options} {}

    /// To the group of how files are served.
    void add();

   private:
    OptionReader& reader_;
    MarkdownOptions& options_;
};

}  // namespace weir::cli
