#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/player.h"

namespace weir::tests {

/// One case of a corpus file. README.md says how they are written.
struct CorpusCase {
    std::string file;  // without its extension
    std::string title;
    std::string input;
    Setting setting;
    bool splits_cut_short =
        false;  // a split input may end earlier, as a prefix of what is expected
    std::vector<std::string> expected;
};

/// All cases of all *.md files below `directory` but README.md, in order. Throws where one is
/// written wrongly.
std::vector<CorpusCase> read_corpus(const std::filesystem::path& directory);

/// Control bytes and bytes past ASCII as the corpus writes them: \r, \n, \t, \\, \x7f.
std::string escaped(std::string_view bytes);
/// The bytes of a text that is written so. Throws if it is not.
std::string unescaped(std::string_view text);

}  // namespace weir::tests
