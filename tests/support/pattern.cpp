#include "support/pattern.h"

#include <algorithm>

namespace weir::tests {
namespace {

// Made before main(): if a process forked while another thread made it, the child would wait
// forever.
const std::string text = [] {
    std::string made(2 * pattern_period, '\0');
    for (std::size_t i = 0; i < made.size(); ++i) {
        const auto at = i % pattern_period;
        made[i] = static_cast<char>('a' + (at * 7 + at / 251) % 26);
    }
    return made;
}();

}  // namespace

std::string_view pattern_text() { return text; }

std::string_view pattern_piece(std::size_t offset, std::size_t size) {
    return pattern_text().substr(offset % pattern_period, std::min(size, pattern_period));
}

std::string pattern(std::size_t offset, std::size_t size) {
    std::string made;
    made.reserve(size);
    while (made.size() < size) made += pattern_piece(offset + made.size(), size - made.size());
    return made;
}

std::optional<std::size_t> first_difference(std::string_view bytes, std::size_t offset) {
    for (std::size_t at = 0; at < bytes.size();) {
        const auto expected = pattern_piece(offset + at, bytes.size() - at);
        const auto found = bytes.substr(at, expected.size());
        if (found != expected)
            return offset + at +
                   static_cast<std::size_t>(std::ranges::mismatch(found, expected).in1 -
                                            found.begin());
        at += expected.size();
    }
    return std::nullopt;
}

}  // namespace weir::tests
