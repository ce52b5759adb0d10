#pragma once

#include <string>
#include <string_view>

#include "weir/http/response.h"
#include "weir/markdown/markdown.h"

namespace weir::markdown {

/// The page of a Markdown file. `name` is its title if it has no heading.
std::string page_of(const Rendered& rendered, std::string_view name);

/// The entity tag of a page, from that of its file. A weak tag stays weak, and an empty one empty.
std::string page_tag(std::string_view tag);

/// The response with the page in place of the file. `file`: the response with the file.
http::Response answer_with_page(const http::Response& file, std::string_view tag, std::string page);
/// The response to a client that has the page (RFC 9110 15.4.5).
http::Response answer_not_modified(const http::Response& file, std::string_view tag);

}  // namespace weir::markdown
