#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "weir/http/response.h"

namespace weir::compress {

/// The content of a response as its fields describe it. The views borrow from the response.
struct AnswerFields {
    std::string_view content_type{};
    std::string_view entity_tag{};
    std::string_view last_modified{};
    bool has_coding = false;    // Content-Encoding, or a digest of the content
    bool varies = false;        // Vary names Accept-Encoding
    bool no_transform = false;  // RFC 9111 5.2.2.6
    bool is_private = false;    // "private" or "no-store": not for shared caches
    bool is_public = false;
    bool sets_cookie = false;

    bool has_strong_tag() const noexcept { return entity_tag.starts_with('"'); }
};

AnswerFields fields_of(const http::Response& response);

/// Returns the field lines of a response whose content has the coding `token`.
enum class Shape : std::uint8_t { with_content, not_modified };
std::string coded_fields(const http::Response& response, const AnswerFields& fields,
                         std::string_view token, Shape shape);

/// Adds "Vary: Accept-Encoding", unless Vary already names it.
void add_vary(http::Response& response, const AnswerFields& fields);

}  // namespace weir::compress
