#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/option_reader.h"

namespace weir::cli {

/// The options of a command that takes one word of a few, or nothing: weir help serve.
class WordReader {
   public:
    /// Without words, the command takes no argument.
    WordReader(Page page, const std::string& name, std::vector<std::string> words);

    /// The word; empty where none was given.
    std::expected<std::string, NoOptions> read(std::vector<std::string> arguments);
    Page page() const { return reader_.page(); }

   private:
    std::vector<std::string> words_;
    std::string word_;
    OptionReader reader_;
};

}  // namespace weir::cli
