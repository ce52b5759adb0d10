#pragma once

#include <span>
#include <string>

#include "cli/help/page.h"

namespace weir::cli {

/// Scripts for the shells, which complete commands, options and values.
std::string bash_completion(std::span<const Page> commands);
std::string zsh_completion(std::span<const Page> commands);
std::string fish_completion(std::span<const Page> commands);

}  // namespace weir::cli
