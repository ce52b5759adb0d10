#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "web/routing/pattern.h"
#include "weir/http/handler.h"

namespace weir::rules {

/// A path below which a site lies, such as "/docs".
class PrefixPath {
   public:
    /// With or without a slash at the end. The error is a sentence without its full stop.
    static std::expected<PrefixPath, std::string> parse(std::string_view text);

    /// Without a slash at the end.
    const std::string& text() const noexcept { return text_; }
    const web::Pattern& pattern() const noexcept { return pattern_; }

   private:
    PrefixPath(std::string text, web::Pattern pattern)
        : text_{std::move(text)}, pattern_{std::move(pattern)} {}

    std::string text_;
    web::Pattern pattern_;
};

/// Serves a site below a path, and answers 404 elsewhere. The site sees what follows the prefix
/// (http::Request::prefix()). The prefix itself is redirected to the one with a slash behind it.
class Prefix final : public http::Handler {
   public:
    /// `inner` must outlive it.
    Prefix(PrefixPath path, http::Handler& inner) : path_{std::move(path)}, inner_{inner} {}

    http::Reply handle(const http::Request& request) override;

   private:
    http::Response redirect(const http::Request& request) const;

    const PrefixPath path_;
    http::Handler& inner_;
};

}  // namespace weir::rules
