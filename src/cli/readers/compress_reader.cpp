#include "cli/readers/compress_reader.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "http/answer/content_coding.h"

namespace weir::cli {
namespace {

std::vector<std::string> parts_of(std::string_view list) {
    std::vector<std::string> parts;
    for (const auto part : std::views::split(list, ',')) parts.emplace_back(std::string_view{part});
    return parts;
}

/// "gzip,br", or an empty text for all codings of the build.
Parsed<std::string> parse_codings(std::string_view text) {
    if (text.empty()) return std::string{};
    const auto parts = parts_of(text);
    for (const std::string& part : parts) {
        if (!http::is_content_coding(part))
            return std::unexpected{"'" + part + "' is neither gzip, br nor zstd"};
        if (std::ranges::count(parts, part) > 1)
            return std::unexpected{"'" + std::string{text} + "' names " + part + " twice"};
    }
    return std::string{text};
}

Parsed<std::uint64_t> parse_level(std::string_view text) { return parse_count(text, 9, 1); }

Parsed<std::string> parse_type(std::string_view text) {
    const bool is_type = text.contains('/') || text.starts_with('+');
    if (is_type && text.find_first_of(" ;,") == text.npos) return std::string{text};
    return std::unexpected{"'" + std::string{text} +
                           "' is not a media type such as text/html, text/* or +json"};
}

}  // namespace

void CompressReader::add() {
    reader_.group("Compression", true);
    compress::Options& settings = options_.settings;
    reader_.optional_values(
        "--compress", "gzip,br,zstd", codings_, parse_codings, "",
        "Compress answers while they are sent, by the codings named, the first one preferred (by "
        "default, zstd, br and gzip, as far as they are built in)");
    cookies_ = reader_.flag("--compress-cookies", settings.with_cookies,
                            "Compress answers that set a cookie, too: over TLS, their size may "
                            "tell a secret (BREACH)");
    needing_compress_ = {
        reader_.value("--compress-level", "N", settings.level, parse_level,
                      "From 1, fastest, to 9, smallest (by default, gzip 6, br 4, zstd 3)"),
        reader_.value("--compress-min", "SIZE", settings.size_min, parse_size,
                      "Do not compress what is smaller (default: 1K)"),
        reader_.values("--compress-type", "TYPE", types_, parse_type,
                       "Media type to compress: text/html, text/*, +json; can be repeated (by "
                       "default, text, JSON, JavaScript, XML, SVG, WebAssembly and some fonts)"),
        reader_.value("--compress-cache", "SIZE", settings.cache_bytes, parse_size,
                      "Memory for contents that were compressed; 0 keeps none (default: 16M)"),
    };
}

void CompressReader::finish() {
    options_.on = !codings_.empty();
    for (const OptionReader::Added* const added : needing_compress_)
        if (!options_.on && added->count() > 0)
            throw WrongUse{added->given_by + " needs --compress"};
    if (!options_.on && options_.settings.with_cookies)
        throw WrongUse{cookies_->given_by + " needs --compress"};
    if (!options_.on) return;
    if (!codings_.back().empty()) options_.settings.codings = parts_of(codings_.back());
    if (!types_.empty()) options_.settings.types = std::move(types_);
    // The tags of a site are unique, and its responses are the same for all users.
    options_.settings.tags_are_unique = true;
}

}  // namespace weir::cli
