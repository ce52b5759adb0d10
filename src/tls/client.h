#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace weir::tls {

struct Question {
    std::string_view request;
    std::size_t answer_bytes;  // of the answer, that many bytes are enough
    std::string host;          // a name, or an address without brackets
    std::string ca{};          // PEM; empty: the certificate is not verified
};

struct NoAnswer {
    std::string why;  // a sentence without its subject: "does not speak TLS: wrong version number"
    bool speaks_tls = false;
};

/// Asks over TLS at a socket that is connected and blocks. Returns the first bytes of the answer; fewer
/// if it ends before. A peer that is gone raises SIGPIPE.
std::expected<std::string, NoAnswer> ask(int socket, const Question& question);

}  // namespace weir::tls
