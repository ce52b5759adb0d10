#include "cli/options/word_reader.h"

#include <algorithm>
#include <expected>
#include <utility>

#include "cli/option/near_miss.h"

namespace weir::cli {

WordReader::WordReader(Page page, const std::string& name, std::vector<std::string> words)
    : words_{std::move(words)}, reader_{std::move(page)} {
    const auto parse = [this](std::string_view text) -> Parsed<std::string> {
        if (std::ranges::find(words_, text) != words_.end()) return std::string{text};
        const auto meant = did_you_mean(text, words_);
        return std::unexpected{"'" + std::string{text} + "' is unknown" +
                               (meant.empty() ? "; use " + enumerated(words_, " or ") : meant)};
    };
    const auto value_name = enumerated(words_, "|", "|");
    if (!words_.empty()) reader_.value(name, value_name.c_str(), word_, parse, "");
    reader_.group("Options");
    reader_.help_flag();
}

std::expected<std::string, NoOptions> WordReader::read(std::vector<std::string> arguments) {
    if (const auto read = reader_.read(std::move(arguments), [] {}); !read)
        return std::unexpected{read.error()};
    return std::move(word_);
}

}  // namespace weir::cli
