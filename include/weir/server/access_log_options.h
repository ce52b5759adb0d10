#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weir/base/requires_cxx23.h"

namespace weir::http {
class Request;
}  // namespace weir::http

namespace weir::server {

/// The access log has one line for each response. The server writes the line after it has sent the
/// response.
struct AccessLogOptions {
    enum class Format : std::uint8_t {
        combined,  // the format of Apache and nginx: remote, time, request, status, bytes, referer,
                   // user agent
        json,      // one JSON object per line; also has the host, the duration and how the response
                   // ended
        own,       // `own_format`
    };
    /// The file to append to; "-": standard error; empty: no log. "syslog:PATH": the socket of a
    /// syslog daemon, or of /dev/log if there is no PATH. "journald:PATH": the native socket of the
    /// systemd journal, or /run/systemd/journal/socket. If no daemon reads there, Server::bind()
    /// fails. A file with such a name is "./syslog:".
    std::string path;
    Format format = Format::combined;
    /// A text with fields in braces, for Format::own: {remote} {method} {target} {status}. "{{" and
    /// "}}" are braces of the text. A value that does not stand in double quotes is one word. If
    /// the text is no format, Server::listen() fails. docs/serve.md lists the fields.
    std::string own_format{};
    /// Returns the name of the user that a request comes from, for the line of the request; empty:
    /// there is no user. Null: no line has a user. The threads that drive connections call it,
    /// several at once. It must not block, and may throw std::bad_alloc.
    std::function<std::string(const http::Request& request)> user{};
    /// Returns whether the request has no line, unless the status is 500 or higher. Null: each has
    /// one. The threads that drive connections call it, several at once. It must not block, and may
    /// throw std::bad_alloc.
    using Skip = std::function<bool(const http::Request& request)>;
    Skip skip{};
    /// The number of answers with a status below 400 that a line stands for. JSON says so.
    std::uint32_t sample = 1;
    /// Before lines would make the file larger than so many bytes, it becomes `path`.1, the file of
    /// that name becomes `path`.2, and so on; the server goes on in a new file. 0: any size. Not for
    /// standard error and daemons.
    std::uint64_t rotate_bytes = 0;
    /// Does the same before the first line of a day (UTC).
    bool rotate_daily = false;
    /// The number of those files, at least 1.
    unsigned rotate_keep = 7;
};

}  // namespace weir::server
