#pragma once

#include <cstdint>
#include <string_view>

namespace weir::site {

/// The kind of a listing's entry; each kind has an icon.
enum class EntryKind : std::uint8_t {
    file,
    folder,
    text,
    picture,  // an image that browsers show
    image,    // any other image
    audio,
    video,
    archive,
};

/// `media_type` is empty if the file's name tells no type.
EntryKind kind_of(std::string_view media_type) noexcept;

/// The id of the kind's icon on the page.
std::string_view icon_of(EntryKind kind) noexcept;

}  // namespace weir::site
