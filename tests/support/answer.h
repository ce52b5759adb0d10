#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/incoming.h"

namespace weir::tests {

/// How the end of an answer's content is found (RFC 9112 6.3).
enum class Framing { none, length, chunked, until_end };

/// What the request was: it decides whether content follows.
enum class AnswerTo { get, head };

struct AnswerHead {
    int minor_version = 0;
    int status = 0;
    std::vector<std::pair<std::string, std::string>> fields;
    Framing framing = Framing::none;
    std::size_t length = 0;  // of the content, where `framing` is `length`

    /// The value of that name, in any case; throws Unexpected where it comes twice.
    std::optional<std::string> field(std::string_view name) const;
    /// Connection has this option.
    bool connection_says(std::string_view option) const;
};

struct Answer : AnswerHead {
    std::string content;   // decoded
    std::string trailers;  // line by line
};

/// A strict reader, made to find faults: throws Unexpected for anything that RFC 9112 doesn't let a
/// server send, and for a final answer without a Date.
AnswerHead read_head(Incoming& incoming, AnswerTo to = AnswerTo::get);
Answer read_answer(Incoming& incoming, AnswerTo to = AnswerTo::get);
/// The content of one chunk (RFC 9112 7.1); empty for the last one.
std::string read_chunk(Incoming& incoming);

}  // namespace weir::tests
