#include "site/listing/listing.h"

#include <algorithm>

#include "base/file_date.h"
#include "http/answer/preference.h"
#include "http/head/field_list.h"
#include "site/listing/folder_source.h"
#include "site/path/paths.h"
#include "weir/http/field_name.h"

namespace weir::site {

namespace {

/// The weight of a media type: that of the most specific member of Accept that matches it.
class MediaTypeWeight {
   public:
    explicit MediaTypeWeight(std::string_view media_type) : media_type_{media_type} {}

    void take(const http::Preference& preference) noexcept {
        const int specificity = specificity_of(preference.name);
        if (preference.thousandths < 0 || specificity < specificity_) return;
        specificity_ = specificity;
        thousandths_ = preference.thousandths;
    }
    int thousandths() const noexcept { return thousandths_; }

   private:
    int specificity_of(std::string_view range) const noexcept {
        if (http::equals_ignoring_case(range, media_type_)) return 3;
        const auto type = media_type_.substr(0, media_type_.find('/') + 1);
        if (range.ends_with("/*") &&
            http::equals_ignoring_case(range.substr(0, range.size() - 1), type))
            return 2;
        return range == "*/*" ? 1 : -1;
    }

    std::string_view media_type_;
    int specificity_ = 0;
    int thousandths_ = 0;
};

}  // namespace

std::size_t pages_of(const Folder& folder, std::size_t entries_max) noexcept {
    return std::max<std::size_t>((folder.size() + entries_max - 1) / entries_max, 1);
}

std::expected<Listing, std::error_code> read_page(const RootDirectory& root,
                                                  const std::string& directory,
                                                  const Folder& folder, const ListingQuery& query,
                                                  std::size_t entries_max,
                                                  const MediaTypes& media_types) {
    Listing listing{.path = directory.empty() ? "/" : "/" + directory + "/",
                    .query = query,
                    .pages = pages_of(folder, entries_max),
                    .file_bytes = folder.file_bytes(),
                    .cut = folder.is_cut()};
    const std::size_t begin = (query.page.value_or(1) - 1) * entries_max;
    const std::size_t end = std::min(begin + entries_max, folder.size());
    for (std::size_t i = begin; i < end; ++i) {
        const std::string_view name = folder.at(i).text;
        const auto state = look_at_entry(root, joined(directory, name));
        if (!state) return std::unexpected{state.error()};
        if (!*state) continue;  // it has gone since
        ListingEntry& entry = listing.entries.emplace_back();
        entry.name = name;
        entry.is_directory = (*state)->kind == FileKind::directory;
        entry.kind = entry.is_directory ? EntryKind::folder
                                        : kind_of(media_types.of(path_of(listing, entry)));
        entry.size = (*state)->size;
        if (is_date_of_file((*state)->modified.seconds))
            entry.modified = (*state)->modified.seconds;
    }
    listing.total = listing.pages == 1 ? listing.entries.size() : folder.size();
    return listing;
}

std::string path_of(const Listing& listing, const ListingEntry& entry) {
    return listing.path + entry.name + (entry.is_directory ? "/" : "");
}

std::string links_of(const Listing& listing) {
    std::string links;
    for_each_other_page(listing, [&](std::string_view relation, std::size_t page) {
        if (!links.empty()) links += ", ";
        links.append("<").append(page_reference(listing.query, page)).append(">; rel=\"");
        links.append(relation).append("\"");
    });
    return links;
}

bool prefers_json(const http::Request& request) {
    MediaTypeWeight json{"application/json"};
    MediaTypeWeight html{"text/html"};
    request.each(http::FieldName::accept, [&](std::string_view value) {
        http::for_each_member(value, [&](std::string_view member) {
            const http::Preference preference = http::preference_from(member);
            json.take(preference);
            html.take(preference);
        });
    });
    return json.thousandths() > html.thousandths();
}

}  // namespace weir::site
