#pragma once

#include <string>
#include <string_view>

namespace weir::cli {

/// What differs between the options of two generations, each as --print-config prints them, in
/// words: "port 8000 -> 8080, header changed, site example.org added; control needs a restart".
/// "nothing changed" if they say the same.
std::string changes(std::string_view before, std::string_view after);

}  // namespace weir::cli
