#pragma once

#include <expected>
#include <memory>
#include <string>
#include <system_error>

#include "site/answer/field_rules.h"
#include "site/files/media_types.h"
#include "site/files/resource.h"
#include "site/path/lookup.h"
#include "weir/site/site.h"

namespace weir::site {

/// How a resource is made from a file.
struct LoadOptions {
    const MediaTypes& media_types;
    const FieldRules& rules;
    bool precompressed = true;
    std::size_t small_file_bytes_max = 0;
    std::string_view cache_control{};  // instead of the rules' one, where not empty
};

struct Loaded {
    std::shared_ptr<Resource> resource;
    /// False where the file was changing while it was read, or may change once more without a
    /// trace: good for one answer.
    bool settled = true;
};

/// Reads the regular file `file` (relative), and what stands beside it in other codings. `key` is
/// what the resource is known by in the cache.
std::expected<Loaded, std::error_code> load_resource(std::string key, const std::string& file,
                                                     Lookup& lookup, const LoadOptions& options);

}  // namespace weir::site
