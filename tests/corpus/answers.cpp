#include "corpus/answers.h"

#include <cstdlib>

#include "http/content/chunked_decoder.h"
#include "http/syntax/fault.h"

namespace weir::tests {
namespace {

using namespace http;

bool has_line(std::string_view head, std::string_view line) {
    return head.contains("\r\n" + std::string{line} + "\r\n");
}

std::string_view value_of(std::string_view head, std::string_view name) {
    const std::size_t at = head.find("\r\n" + std::string{name} + ": ");
    if (at == std::string_view::npos) return {};
    const std::size_t begin = at + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

/// The sentence of the error page, where it is that of a fault.
std::string sentence_of(std::string_view page) {
    for (auto fault = static_cast<int>(Fault::none) + 1;
         fault <= static_cast<int>(Fault::handler_too_slow); ++fault) {
        const std::string_view text = answer_to(static_cast<Fault>(fault)).text;
        if (page.contains("<p>" + std::string{text} + ".</p>")) return " " + std::string{text};
    }
    return {};
}

/// The size of the content at the start of `rest` (RFC 9112 6.3), or npos where it is broken.
std::size_t content_size(std::string_view head, std::string_view rest) {
    const std::string_view length = value_of(head, "Content-Length");
    // An answer to HEAD has none: the next answer follows at once, or nothing does.
    if (rest.empty() || rest.starts_with("HTTP/1.")) return 0;
    if (!length.empty()) return std::strtoull(std::string{length}.c_str(), nullptr, 10);
    if (!has_line(head, "Transfer-Encoding: chunked")) return rest.size();
    ChunkedDecoder decoder;
    for (std::size_t at = 0; at < rest.size();) {
        const auto step = decoder.decode(rest.substr(at), Limits{});
        at += step.consumed;
        if (step.result == ChunkedDecoder::Result::complete) return at;
        if (step.result == ChunkedDecoder::Result::fault) break;
    }
    return std::string_view::npos;
}

}  // namespace

std::vector<std::string> read_answers(std::string_view sent, bool closes) {
    std::vector<std::string> events;
    bool said_close = false;
    while (!sent.empty()) {
        const std::size_t head_end = sent.find("\r\n\r\n");
        if (!sent.starts_with("HTTP/1.1 ") || head_end == std::string_view::npos)
            return {"no answer: " + std::string{sent}};
        const std::string_view head = sent.substr(0, head_end + 2);
        sent.remove_prefix(head_end + 4);
        std::string event{head.substr(9, 3)};
        if (event[0] == '1') {
            events.push_back(event);
            continue;
        }
        const std::size_t size = content_size(head, sent);
        if (size > sent.size()) return {"an answer that is cut"};
        event += sentence_of(sent.substr(0, size));
        sent.remove_prefix(size);
        if (has_line(head, "Transfer-Encoding: chunked")) event += " chunked";
        if (value_of(head, "Date") != "Sun, 06 Nov 1994 08:49:37 GMT") event += " without Date";
        if (said_close) event += " after Connection: close";
        said_close = has_line(head, "Connection: close");
        events.push_back(event);
    }
    if (closes && !events.empty() && !said_close) events.back() += " without Connection: close";
    if (!closes && said_close) events.back() += " with Connection: close";
    return events;
}

}  // namespace weir::tests
