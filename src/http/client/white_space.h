#pragma once

#include <cstddef>
#include <string>

namespace weir::http::client {

/// White space that a response may have and a request may not. Between a field's name and its colon
/// it is removed (RFC 9112 5.1), and a line that is folded is joined with the one before it (5.2).
/// `head` begins with a status line; the bytes after its end stay. False: the last bytes are white
/// space, and only further ones tell if a colon follows.
inline bool mend_white_space(std::string& head) {
    constexpr const char* white = " \t";
    const std::size_t first = head.find("\r\n");
    for (std::size_t line = first; line != head.npos; line = head.find("\r\n", line)) {
        const bool is_folded =
            line + 2 < head.size() && (head[line + 2] == ' ' || head[line + 2] == '\t');
        if (is_folded && line != first) {
            head.replace(line, 2, 2, ' ');
            continue;
        }
        line += 2;
        const std::size_t end = head.find_first_of(" \t:\r\n", line);
        if (end == head.npos || head.compare(line, 2, "\r\n") == 0) return true;
        const std::size_t next = head.find_first_not_of(white, end);
        if (next == head.npos && end != line) return false;
        if (next != head.npos && end != line && head[next] == ':') head.erase(end, next - end);
    }
    return true;
}

}  // namespace weir::http::client
