#pragma once

#include <span>
#include <string>

#include "cli/help/page.h"

namespace weir::cli {

/// A page as man(7) has it. `all` have man pages, `page` among them: each refers to the others.
std::string man(const Page& page, std::span<const Page> all);

}  // namespace weir::cli
