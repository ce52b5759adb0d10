#include "cli/option/option.h"
#include "engines/engines.h"

// Apart from the other functions on options, which the fuzzers compile without the engines.
namespace weir::cli {

std::vector<std::string> engine_names() {
    std::vector<std::string> names{"auto"};
    for (const engines::Engine& engine : engines::all()) names.emplace_back(engine.name);
    return names;
}

}  // namespace weir::cli
