#include "proxy/max_forwards.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

#include "http/syntax/field_lines.h"

namespace weir::proxy {
namespace {

bool has_limit(http::Method method) noexcept {
    return method == http::Method::options || method == http::Method::trace;
}

}  // namespace

std::optional<std::uint64_t> max_forwards(const http::Request& request,
                                          const http::FieldLine& line) noexcept {
    if (!has_limit(request.method()) ||
        !http::equals_ignoring_case(request.name_of(line), "max-forwards"))
        return std::nullopt;
    const std::string_view text = request.value_of(line);
    const char* const end = text.data() + text.size();
    std::uint64_t number = 0;
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc::invalid_argument || read != end) return std::nullopt;
    return error == std::errc{} ? number : std::numeric_limits<std::uint64_t>::max();
}

bool is_at_its_end(const http::Request& request) noexcept {
    return has_limit(request.method()) &&
           std::ranges::any_of(request.fields(), [&request](const http::FieldLine& line) {
               return max_forwards(request, line) == 0;
           });
}

}  // namespace weir::proxy
