#include "http/workspace.h"

#include <algorithm>
#include <span>

#include "http/answer/date.h"

namespace weir::http {

std::string_view Workspace::date_line(std::int64_t unix_seconds) noexcept {
    if (unix_seconds == 0) return {};
    if (unix_seconds != date_second_) {
        constexpr std::string_view name = "Date: ", end = "\r\n";
        std::ranges::copy(name, date_line_.begin());
        render_date(unix_seconds, std::span<char, 29>{date_line_.data() + name.size(), 29});
        std::ranges::copy(end, date_line_.end() - end.size());
        date_second_ = unix_seconds;
    }
    return {date_line_.data(), date_line_.size()};
}

}  // namespace weir::http
