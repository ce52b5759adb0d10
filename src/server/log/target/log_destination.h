#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::server {

/// The meaning of AccessLogOptions::path.
struct LogDestination {
    enum class Kind : std::uint8_t {
        none,
        standard_error,  // "-"
        file,
        syslog,    // "syslog:PATH": a socket that takes the datagrams of syslog(3)
        journald,  // "journald:PATH": a socket that takes those of sd_journal_send(3)
    };
    Kind kind = Kind::none;
    std::string path{};  // of the file or the socket

    static LogDestination of(std::string_view text);

    bool is_file() const noexcept { return kind == Kind::file; }
    bool is_socket() const noexcept { return kind == Kind::syslog || kind == Kind::journald; }
};

}  // namespace weir::server
