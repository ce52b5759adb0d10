#include "cli/option/option.h"
#include "engines/engines.h"

// A file of its own, because the fuzzers compile the other functions on options without the
// engines.
namespace weir::cli {

std::vector<std::string> engine_names() {
    std::vector<std::string> names{"auto"};
    for (const engines::Engine& engine : engines::all()) names.emplace_back(engine.name);
    return names;
}

}  // namespace weir::cli
