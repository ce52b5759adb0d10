#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "weir/site/site.h"

namespace weir::site {

/// By the name's ending, without regard to case. Empty if the ending is unknown, or is that of
/// source code: the file's first bytes decide then.
std::string_view media_type_of(std::string_view file_name) noexcept;

/// True for "type/subtype" with or without parameters (RFC 9110 8.3.1).
bool is_media_type(std::string_view text) noexcept;

/// "text/html" of "text/html; charset=utf-8".
std::string_view without_parameters(std::string_view media_type) noexcept;

/// The rules of Options::media_types, and the table behind them.
class MediaTypes {
   public:
    static std::expected<MediaTypes, std::string> from(std::vector<MediaTypeRule> rules);

    /// Of the file at `path`, "/" first; empty if its first bytes decide.
    std::string_view of(std::string_view path) const noexcept;

   private:
    std::vector<MediaTypeRule> rules_;
};

}  // namespace weir::site
