#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

/// Returns the differences between the options of two generations, each in the form of
/// --print-config: "port 8000 -> 8080, header changed, site example.org added; control needs a
/// restart". "nothing changed" if they are the same.
std::string changes(std::string_view before, std::string_view after);

}  // namespace weir::cli
