#pragma once

#include <cstdint>
#include <string_view>

namespace weir::site {

/// What an entry of a listing is, as far as its icon tells.
enum class EntryKind : std::uint8_t {
    file,
    folder,
    text,
    picture,  // browsers show it
    image,    // another one
    audio,
    video,
    archive,
};

/// `media_type`: empty if the name does not tell.
EntryKind kind_of(std::string_view media_type) noexcept;

/// The id of its icon on the page.
std::string_view icon_of(EntryKind kind) noexcept;

}  // namespace weir::site
