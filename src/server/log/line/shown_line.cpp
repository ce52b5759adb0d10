#include "server/log/line/shown_line.h"

#include <string_view>

#include "base/readable_size.h"
#include "base/readable_time.h"
#include "server/log/line/log_escape.h"
#include "server/log/line/log_time.h"

namespace weir::server {
namespace {

constexpr std::size_t size_width = 8;
constexpr std::size_t duration_width = 8;

void append_right(std::string& out, std::string_view text, std::size_t width) {
    if (text.size() < width) out.append(width - text.size(), ' ');
    out += text;
}

/// The ECMA-48 sequences for green, cyan, yellow and red.
std::string_view colour_of(unsigned status) {
    switch (status / 100) {
        case 2: return "\x1b[32m";
        case 3: return "\x1b[36m";
        case 4: return "\x1b[33m";
        case 5: return "\x1b[31m";
        default: return {};
    }
}

void append_request(std::string& out, const AccessEntry& entry) {
    if (!entry.readable) {
        out += "(unreadable request)";
        return;
    }
    append_escaped(out, entry.method, Escape::hexadecimal);
    out += ' ';
    append_escaped(out, entry.target, Escape::hexadecimal);
}

void append_line(std::string& out, const AccessEntry& entry, std::string_view colour) {
    out += local_time_of_day(entry.unix_seconds);
    out += ' ';
    out += colour;
    out += std::to_string(http::code(entry.status));
    if (!colour.empty()) out += "\x1b[0m";
    append_right(out, readable_size(entry.content_bytes), size_width);
    const auto duration = std::chrono::floor<std::chrono::milliseconds>(entry.duration);
    const bool at_once = duration.count() == 0;
    append_right(out, at_once ? "<1 ms" : readable_time(duration), duration_width);
    out += "  ";
    append_request(out, entry);
    if (entry.outcome != http::Outcome::sent) {
        out += " (";
        out += to_text(entry.outcome);
        out += ')';
    }
    out += '\n';
}

}  // namespace

void append_shown(std::string& out, const AccessEntry& entry) { append_line(out, entry, {}); }

void append_shown_in_colour(std::string& out, const AccessEntry& entry) {
    append_line(out, entry, colour_of(http::code(entry.status)));
}

void append_shown_dropped(std::string& out, std::uint64_t lines, std::int64_t unix_seconds) {
    out += local_time_of_day(unix_seconds);
    out += ' ';
    out += std::to_string(lines);
    out += " more requests are not shown\n";
}

}  // namespace weir::server
