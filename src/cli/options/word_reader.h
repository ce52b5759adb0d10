#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_reader.h"

namespace weir::cli {

/// Reads the options of a command that takes at most one of a few words: weir help serve.
class WordReader {
   public:
    /// If `words` is empty, the command takes no argument.
    WordReader(Page page, const std::string& name, std::vector<std::string> words);

    /// Returns the word; empty if none was given.
    std::expected<std::string, NoOptions> read(std::vector<std::string> arguments);
    Page page() const { return reader_.page(); }

   private:
    std::vector<std::string> words_;
    std::string word_;
    OptionReader reader_;
};

}  // namespace weir::cli
