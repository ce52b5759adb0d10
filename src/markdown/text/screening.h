#pragma once

#include <string_view>

namespace weir::markdown {

/// Properties of a Markdown text that make cmark-gfm slow. Otherwise its time is proportional to
/// the text.
struct Screening {
    /// Nested lists and quotes: cmark-gfm visits all of them for each line.
    bool is_deep = false;
    /// Images in a paragraph: cmark-gfm visits all that have begun for each link.
    bool has_many_images = false;
    /// Words without a space: for each "www." in a word, the extension autolink reads the rest of
    /// it.
    bool has_long_words = false;
    /// Lines of many columns: the extension table completes each short row below.
    bool has_wide_lines = false;
};

Screening screened(std::string_view markdown) noexcept;

}  // namespace weir::markdown
