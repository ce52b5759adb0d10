#include "site/listing/listing.h"

#include <dirent.h>

#include <cerrno>
#include <memory>

#include "http/answer/preference.h"
#include "http/head/field_list.h"
#include "site/path/paths.h"
#include "weir/http/field_name.h"

namespace weir::site {

namespace {

struct CloseDirectory {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, CloseDirectory>;

/// Null at the end, with errno 0, and where the rest can't be read.
const dirent* next_entry(DIR* directory) noexcept {
    errno = 0;
    return ::readdir(directory);  // NOLINT(concurrency-mt-unsafe): no other thread has this stream
}

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

std::expected<Listing, std::error_code> read_listing(const RootDirectory& root,
                                                     const std::string& directory, bool dotfiles,
                                                     std::size_t entries_max, ListingOrder order) {
    auto fd = root.open_directory(directory);
    if (!fd) return std::unexpected{fd.error()};
    const Directory stream{::fdopendir(fd->get())};
    if (!stream) return std::unexpected{std::error_code{errno, std::system_category()}};
    (void)fd->release();  // the stream owns the descriptor now

    Listing listing{.path = directory.empty() ? "/" : "/" + directory + "/", .order = order};
    while (const dirent* const item = next_entry(stream.get())) {
        const std::string_view name = item->d_name;
        if (name == "." || name == ".." || (!dotfiles && name.starts_with('.'))) continue;
        if (listing.entries.size() == entries_max) {
            listing.cut = true;
            break;
        }
        const auto found = root.look(joined(directory, name));
        if (!found && !is_fact(found.error().error)) return std::unexpected{found.error().error};
        if (!found || found->state.kind == FileKind::other) continue;
        listing.entries.push_back({.name = std::string{name},
                                   .is_directory = found->state.kind == FileKind::directory,
                                   .size = found->state.size,
                                   .modified = found->state.modified.seconds});
    }
    if (!listing.cut && errno != 0)  // a part would look like the whole
        return std::unexpected{std::error_code{errno, std::system_category()}};
    sort_entries(listing.entries, order);
    return listing;
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
