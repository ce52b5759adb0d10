#pragma once

#include <string>
#include <string_view>

#include "weir/http/response.h"
#include "weir/markdown/markdown.h"

namespace weir::markdown {

/// The page of a Markdown file. `name` is its title if it has no heading.
std::string page_of(const Rendered& rendered, std::string_view name);

/// The tag of the page of the file with this one. It stays weak if it was; empty if that is.
std::string page_tag(std::string_view tag);

/// The answer with the page in place of `file`, the answer with the file.
http::Response answer_with_page(const http::Response& file, std::string_view tag, std::string page);
/// The client has the page (RFC 9110 15.4.5).
http::Response answer_not_modified(const http::Response& file, std::string_view tag);

}  // namespace weir::markdown
