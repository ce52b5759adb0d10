#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/document.h"
#include "cli/option/option.h"

namespace weir::cli::config {

/// The values that an option takes in a file. They follow from the option alone, so that a new
/// option needs no change here.
struct Shape {
    bool flag = false;    // true, false
    bool number = false;  // an integer
    bool text = false;
    std::vector<std::string> words;  // the only allowed texts; empty: any text
};

/// A value with the name N or PORT is a number, one with the name SIZE or TIME a number or a text.
Shape shape_of(const Option& option);

/// "true or false", "a number", "one of combined and json"
std::string in_words(const Shape& shape);

/// Returns the text of the value on the command line, or an error if the kind of the value is
/// wrong. Relative paths are resolved against `folder`.
std::expected<std::string, std::string> text_of(const Option& option, const Value& value,
                                                std::string_view folder);

/// Resolves the paths in the text of an option against `folder`: a value with the name PATH, FILE
/// or DIR, also after a prefix ("unix:PATH", "syslog:PATH") or as the last part of 'FILES: FILE',
/// and the socket ("unix:socket") of an ADDRESS.
std::string resolved(const Option& option, std::string_view text, std::string_view folder);

}  // namespace weir::cli::config
