// A handler around which answers are compressed finds its own entity tags in If-Match, and no others. The input
// is the value of a line.

#include <array>

#include "compress/answer/tags.h"
#include "fuzz/fuzz_input.h"
#include "http/answer/content_coding.h"
#include "http/answer/entity_tags.h"

namespace weir::tests {
namespace {

constexpr std::array<std::string_view, 4> own_tags{"\"v1\"", "\"\"", "\"a,b\"", "\"v1-br\""};

bool names(std::string_view line, std::string_view tag) {
    return http::line_matches(line, tag, http::Comparison::strong);
}

}  // namespace

void fuzz(const FuzzInput& input) {
    const ExactCopy line{input.text};
    const std::string changed = compress::with_plain_tags(line.view());
    const std::string seen = changed.empty() ? std::string{line.view()} : changed;
    for (const std::string_view own : own_tags) {
        bool is_named = names(line.view(), own);
        for (const auto& coding : http::content_codings)
            is_named = is_named || names(line.view(), compress::coded_tag(own, coding.token));
        require(names(seen, own) == is_named);
    }
}

}  // namespace weir::tests
