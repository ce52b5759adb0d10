#pragma once

#include <string_view>

namespace weir::markdown {

/// What makes cmark-gfm slow in a Markdown. Its time is proportional to the text otherwise.
struct Screening {
    /// Lists and quotes in each other: it visits all of them for each line.
    bool is_deep = false;
    /// Images in a paragraph: it visits all that have begun for each link.
    bool has_many_images = false;
    /// Words without a space: for each "www." in one, the extension autolink reads the rest of it.
    bool has_long_words = false;
    /// Lines of many columns: the extension table completes each short row below.
    bool has_wide_lines = false;
};

Screening screened(std::string_view markdown) noexcept;

}  // namespace weir::markdown
