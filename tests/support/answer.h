#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/incoming.h"

namespace weir::tests {

/// How to find the end of an answer's content (RFC 9112 6.3).
enum class Framing { none, length, chunked, until_end };

/// The method of the request: it decides whether content follows.
enum class AnswerTo { get, head };

struct AnswerHead {
    int minor_version = 0;
    int status = 0;
    std::vector<std::pair<std::string, std::string>> fields;
    Framing framing = Framing::none;
    std::size_t length = 0;  // of the content, if `framing` is `length`

    /// Returns the value of the field with that name, in any case. Throws Unexpected if the field
    /// comes twice.
    std::optional<std::string> field(std::string_view name) const;
    /// True if the Connection field has this option.
    bool connection_says(std::string_view option) const;
};

struct Answer : AnswerHead {
    std::string content;   // decoded
    std::string trailers;  // one field line per line
};

/// A strict parser for tests: it throws Unexpected for everything that RFC 9112 does not allow a
/// server to send, and for a final answer without Date.
AnswerHead read_head(Incoming& incoming, AnswerTo to = AnswerTo::get);
Answer read_answer(Incoming& incoming, AnswerTo to = AnswerTo::get);
/// Returns the content of one chunk (RFC 9112 7.1); empty for the last chunk.
std::string read_chunk(Incoming& incoming);

}  // namespace weir::tests
