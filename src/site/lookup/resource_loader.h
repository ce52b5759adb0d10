#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <system_error>

#include "site/fields/entity_tag.h"
#include "site/fields/field_rules.h"
#include "site/fields/manifest_reader.h"
#include "site/fields/notices.h"
#include "site/files/resource.h"
#include "site/lookup/lookup.h"
#include "site/types/media_types.h"
#include "weir/site/site.h"

namespace weir::site {

/// The options for making a resource from a file.
struct LoadOptions {
    const MediaTypes& media_types;
    const FieldRules& rules;
    EntityTags& tags;
    ManifestReader& manifest;
    Notices& notices;
    bool precompressed = true;
    std::span<const std::string> precompressed_not_in{};
    std::size_t small_file_bytes_max = 0;
    std::string_view cache_control{};  // replaces the value from the rules if not empty
};

struct Loaded {
    std::shared_ptr<Resource> resource;
    /// False if the file changed while it was read, if it may still change without a change of its
    /// times, or if the search for one of its variants failed: use the resource for one response
    /// only.
    bool settled = true;
};

/// Reads the regular file `file` (relative) and its precompressed variants. `key` is the resource's
/// key in the cache.
std::expected<Loaded, std::error_code> load_resource(std::string key, const std::string& file,
                                                     Lookup& lookup, const LoadOptions& options);

}  // namespace weir::site
