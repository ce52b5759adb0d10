#include "http/workspace.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "http/answer/date.h"

namespace weir::http {

void Workspace::render_date_line(std::int64_t unix_seconds) noexcept {
    date_second_ = unix_seconds;
    if (unix_seconds == 0) return;
    constexpr std::string_view name = "Date: ", end = "\r\n";
    std::ranges::copy(name, date_line_.begin());
    render_date(unix_seconds,
                std::span<char, date_size>{date_line_.data() + name.size(), date_size});
    std::ranges::copy(end, date_line_.end() - end.size());
}

}  // namespace weir::http
