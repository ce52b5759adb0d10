#include "site/listing/listing_readme.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "site/files/read_file.h"
#include "site/listing/listing.h"
#include "site/path/paths.h"
#include "site/path/utf8.h"
#include "weir/http/field_name.h"

namespace weir::site {

namespace {

/// Best first.
constexpr std::array<std::string_view, 5> readme_names = {"README", "README.md", "README.txt",
                                                          "README.rst", "README.markdown"};
constexpr std::uint64_t readme_bytes_max = 64 * 1024;

const ListingEntry* find_readme(const Listing& listing) {
    for (const std::string_view name : readme_names) {
        const auto found = std::ranges::find_if(listing.entries, [&](const ListingEntry& entry) {
            return !entry.is_directory && http::equals_ignoring_case(entry.name, name);
        });
        if (found != listing.entries.end()) return &*found;
    }
    return nullptr;
}

/// Removes the incomplete character at the end of a text that was cut.
void end_at_character(std::string& text) {
    constexpr int bytes_max = 3;
    for (int i = 0; i < bytes_max && !is_utf8(text, false); ++i) text.pop_back();
}

}  // namespace

std::optional<Readme> read_readme(const RootDirectory& root, const std::string& directory,
                                  const Listing& listing) {
    const ListingEntry* const entry = find_readme(listing);
    if (entry == nullptr) return std::nullopt;
    const auto opened = root.open_file(joined(directory, entry->name));
    if (!opened) return std::nullopt;
    const std::uint64_t size = opened->state.size;
    auto text = read_from_start(opened->fd.get(), std::min(size, readme_bytes_max));
    if (!text || text->empty()) return std::nullopt;
    Readme readme{.name = entry->name, .text = std::move(*text), .cut = size > readme_bytes_max};
    if (readme.cut) end_at_character(readme.text);
    if (readme.text.contains('\0') || !is_utf8(readme.text, false)) return std::nullopt;
    return readme;
}

}  // namespace weir::site
