#pragma once

#include <span>
#include <string>

#include "cli/help/page.h"

namespace weir::cli {

/// A page for man(7). `all` are the commands with man pages, including `page`; each page refers to
/// the others.
std::string man(const Page& page, std::span<const Page> all);

}  // namespace weir::cli
