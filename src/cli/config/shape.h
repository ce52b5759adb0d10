#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/document.h"
#include "cli/option/option.h"

namespace weir::cli::config {

/// Which values an option takes in a file. It follows from the option alone, so that a new option
/// needs no line here.
struct Shape {
    bool flag = false;    // true, false
    bool number = false;  // an integer
    bool text = false;
    std::vector<std::string> words;  // the only texts there are; empty: any text
};

/// A value named N or PORT is a number, one named SIZE or TIME a number or a text.
Shape shape_of(const Option& option);

/// "true or false", "a number", "one of combined and json"
std::string in_words(const Shape& shape);

/// The text that the command line would have for the value. Or what is wrong with the kind of the
/// value. A path is relative to `folder`.
std::expected<std::string, std::string> text_of(const Option& option, const Value& value,
                                                std::string_view folder);

/// Paths in the text of an option, relative to `folder`: those whose value is named PATH, FILE or
/// DIR, also behind "unix:" or as the last part of 'FILES: FILE', and sockets ("unix:socket") of an
/// ADDRESS.
std::string resolved(const Option& option, std::string_view text, std::string_view folder);

}  // namespace weir::cli::config
