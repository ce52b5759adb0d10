#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "weir/site/site.h"

namespace weir::site {

/// The media type by the extension of the name, without regard to case. Empty if the extension is
/// unknown or belongs to source code: then the file's first bytes decide.
std::string_view media_type_of(std::string_view file_name) noexcept;

/// True for "type/subtype", with or without parameters (RFC 9110 8.3.1).
bool is_media_type(std::string_view text) noexcept;

/// Returns "text/html" for "text/html; charset=utf-8".
std::string_view without_parameters(std::string_view media_type) noexcept;

/// The rules of Options::media_types, and the built-in table after them.
class MediaTypes {
   public:
    static std::expected<MediaTypes, std::string> from(std::vector<MediaTypeRule> rules);

    /// The media type of the file at `path`, which starts with "/". Empty if the file's first bytes
    /// decide.
    std::string_view of(std::string_view path) const;

    /// True if the extension of this name is of a known kind: the table has it, or a rule such as
    /// "*.doe" does.
    bool has_kind(std::string_view file_name) const;

   private:
    std::vector<MediaTypeRule> rules_;
};

}  // namespace weir::site
