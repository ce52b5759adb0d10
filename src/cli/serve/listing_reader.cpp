#include "cli/serve/listing_reader.h"

#include <algorithm>

#include "http/syntax/utf8.h"

namespace weir::cli {
namespace {

Parsed<std::string> parse_title(std::string_view text) {
    constexpr std::size_t bytes_max = 200;
    const bool has_control =
        std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (text.empty() || text.size() > bytes_max || has_control || !http::is_utf8(text))
        return std::unexpected{"a title has 1 to 200 bytes of UTF-8, and no control characters"};
    return std::string{text};
}

Parsed<site::ListingTheme> parse_theme(std::string_view text) {
    using enum site::ListingTheme;
    return parse_word<site::ListingTheme>(text,
                                          {{"system", system}, {"light", light}, {"dark", dark}});
}

}  // namespace

void ListingReader::add() {
    site::Options& site = options_.site;
    listing_ = reader_.flag("-l,--listing", site.listing,
                            "List folders that have no index page; the default if weir listens "
                            "only on loopback");
    no_listing_ = reader_.flag("--no-listing", options_.no_listing, "Never list folders");
    reader_.value("--listing-title", "TEXT", site.listing_title, parse_title,
                  "Title of the listings' pages (by default, Index of, and Home for the root)");
    reader_.value("--listing-theme", "system|light|dark", site.listing_theme, parse_theme,
                  "Colours of the listings' pages (default: system)");
    reader_.flag("--search", site.listing_search,
                 "Let clients search the names in a listed folder and below it");
    reader_.flag("--archive", site.listing_archives,
                 "Let clients download folders as zip, tar and tar.gz: /folder/?archive=zip");
    reader_.alternatives({listing_, no_listing_});
}

void ListingReader::finish() const {
    if (options_.site.listing && options_.no_listing)
        throw WrongUse{listing_->given_by + " and " + no_listing_->option.name() +
                       " cannot be combined"};
}

}  // namespace weir::cli
