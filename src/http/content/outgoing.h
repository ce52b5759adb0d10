#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "http/answer/output_buffer.h"
#include "http/answer/render.h"
#include "http/content/content_out.h"
#include "weir/http/status.h"

namespace weir::http {

/// Content that is sent from where it lies, after a head that was rendered before it: bytes that
/// are too long to copy, a part of a file, or the output of a source. A connection has at most one,
/// and it is always the last thing that the connection sends.
class Outgoing : public ContentOut {
   public:
    enum class Pull : std::uint8_t { pulled, not_ready, finished, failed };

    /// `delimiter` is the framing that the head announces, `announced` what a source has announced.
    /// The head was rendered: content may last for hours without it.
    Outgoing(Response& response, Delimiter delimiter, std::optional<std::uint64_t> announced)
        : ContentOut{response, announced}, delimiter_{delimiter}, status_{response.status()} {}

    Status status() const noexcept { return status_; }
    std::uint64_t content_sent() const noexcept { return content_sent_; }
    /// True if all content so far was sent. pull() may bring more.
    bool empty() const noexcept { return at_hand() == 0; }

    /// `size` bytes of bytes(), then of file(), were sent.
    void sent(std::uint64_t size) noexcept {
        content_sent_ += size;
        taken(size);
    }
    /// Takes more content from the source, into `output` or file(). Call it when empty() is true
    /// and `output` was sent. With `finished`, `output` may still contain the last chunk.
    Pull pull(OutputBuffer& output, FailureObserver* failures);
    /// False if the source has said that it has nothing, and has not been woken since. For tunnels,
    /// whose state does not tell it.
    bool may_have_more() const noexcept { return may_have_more_; }
    void note_more(bool may_have_more) noexcept { may_have_more_ = may_have_more; }
    /// Keeps the request's name for the report of a source that fails, in place of the request.
    void name_request(const Request& request) {
        if (has_source()) text_of_source() = UserCode::name_of(request);
    }

   private:
    void append_bytes(std::size_t size, OutputBuffer& output, char* room);
    void append_head_of_file(OutputBuffer& output);
    Pull end(OutputBuffer& output);

    Delimiter delimiter_;
    bool chunk_open_ = false;  // the CRLF after a file's chunk is not written yet
    bool ended_ = false;
    bool has_failed_ = false;
    bool may_have_more_ = true;
    Status status_;
    std::uint64_t content_sent_ = 0;
};

}  // namespace weir::http
