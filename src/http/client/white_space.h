#pragma once

#include <cstddef>
#include <string>

namespace weir::http::client {

/// RFC 9112 5.1: a proxy removes white space between a field's name and its colon from a response.
/// `head` begins with a status line; the bytes after its end stay. False: the last bytes are white
/// space, and only further ones tell if a colon follows.
inline bool take_white_space_off(std::string& head) {
    constexpr const char* white = " \t";
    for (std::size_t line = head.find("\r\n"); line != head.npos; line = head.find("\r\n", line)) {
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
