#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

namespace weir::tls {

struct Question {
    std::string_view request;
    std::size_t answer_bytes;  // the needed bytes of the response, from its first one
    std::string host;          // a name, or an address without brackets
    std::string ca{};          // PEM; empty: the certificate is not verified
};

struct NoAnswer {
    std::string why;  // a sentence without its subject: "does not speak TLS: wrong version number"
    bool speaks_tls = false;
};

/// Sends a request over TLS on a blocking socket that is connected. Returns the first bytes of the
/// response, as many as the question asks for; fewer if the response ends before. A peer that is
/// gone raises SIGPIPE.
std::expected<std::string, NoAnswer> ask(int socket, const Question& question);

}  // namespace weir::tls
