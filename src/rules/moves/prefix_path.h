#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "web/routing/pattern.h"

namespace weir::rules {

/// A path below which a site lies, such as "/docs".
class PrefixPath {
   public:
    /// With or without a slash at the end. The error is a sentence without its full stop.
    static std::expected<PrefixPath, std::string> parse(std::string_view text);

    /// Without a slash at the end.
    const std::string& text() const noexcept { return text_; }
    /// The size of the prefix in a path, not decoded, in bytes; 0 if the path is not below it.
    std::size_t size_in(std::string_view path) const;
    /// True if the path is the prefix itself, without a slash behind it.
    bool is(std::string_view path) const;

   private:
    PrefixPath(std::string text, web::Pattern pattern)
        : text_{std::move(text)}, pattern_{std::move(pattern)} {}
    std::size_t end_in(std::string_view path) const noexcept;

    std::string text_;
    web::Pattern pattern_;
};

}  // namespace weir::rules
