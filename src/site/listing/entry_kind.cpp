#include "site/listing/entry_kind.h"

#include <algorithm>
#include <array>

#include "site/types/media_types.h"

namespace weir::site {

namespace {

constexpr std::array<std::string_view, 8> pictures = {"image/png",  "image/jpeg", "image/gif",
                                                      "image/webp", "image/avif", "image/svg+xml",
                                                      "image/bmp",  "image/apng"};
constexpr std::array<std::string_view, 11> archive_words = {
    "zip", "tar", "compress", "7z", "zst", "bz", "xz", "rar", "archive", "lzma", "debian"};
constexpr std::array<std::string_view, 6> text_words = {"json", "xml",  "script",
                                                        "yaml", "toml", "pdf"};

bool has_any(std::string_view subtype, const auto& words) noexcept {
    return std::ranges::any_of(words,
                               [&](std::string_view word) { return subtype.contains(word); });
}

}  // namespace

EntryKind kind_of(std::string_view media_type) noexcept {
    const std::string_view name = without_parameters(media_type);
    if (std::ranges::find(pictures, name) != pictures.end()) return EntryKind::picture;
    if (name.starts_with("image/")) return EntryKind::image;
    if (name.starts_with("audio/")) return EntryKind::audio;
    if (name.starts_with("video/")) return EntryKind::video;
    if (name.starts_with("text/")) return EntryKind::text;
    const std::string_view subtype = name.substr(name.find('/') + 1);
    if (has_any(subtype, text_words)) return EntryKind::text;
    return has_any(subtype, archive_words) ? EntryKind::archive : EntryKind::file;
}

std::string_view icon_of(EntryKind kind) noexcept {
    switch (kind) {
        case EntryKind::folder: return "folder";
        case EntryKind::text: return "text";
        case EntryKind::picture:
        case EntryKind::image: return "image";
        case EntryKind::audio: return "audio";
        case EntryKind::video: return "video";
        case EntryKind::archive: return "archive";
        case EntryKind::file: break;
    }
    return "file";
}

}  // namespace weir::site
