#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "http/answer/render.h"
#include "http/content/user_code.h"
#include "weir/http/response.h"

namespace weir::http {

/// Content that is sent from where it lies, after a head that was rendered before it: bytes that
/// are too long to copy, a part of a file, or the output of a source. A connection has at most one,
/// and it is always the last thing that the connection sends.
class Outgoing {
   public:
    enum class Pull : std::uint8_t { pulled, not_ready, finished, failed };

    /// Takes over the response's content and its owner. `delimiter` is the framing that the head
    /// announces, `source_size` what a source has announced.
    Outgoing(Response&& response, Delimiter delimiter, std::uint64_t source_size);
    ~Outgoing();
    Outgoing(const Outgoing&) = delete;
    Outgoing& operator=(const Outgoing&) = delete;

    std::string_view bytes() const noexcept { return bytes_; }
    const FileRange& file() const noexcept { return file_; }
    Status status() const noexcept { return response_.status(); }
    /// Null if it is none.
    Tunnel* tunnel() const noexcept { return source_ != nullptr ? source_->tunnel() : nullptr; }
    /// The memory of content that the response owns, or its tunnel.
    std::size_t own_bytes() const noexcept;
    std::uint64_t content_sent() const noexcept { return content_sent_; }
    /// When the source wants to be asked again.
    Instant due() const noexcept { return source_ != nullptr ? source_->due() : never; }
    /// True if all content so far was sent. pull() may bring more.
    bool empty() const noexcept { return bytes_.empty() && file_.size == 0; }

    /// `size` bytes of bytes(), then of file(), were sent.
    void sent(std::uint64_t size) noexcept;
    /// Takes more content from the source, into `output` or file(). Call it when empty() is true
    /// and `output` was sent. With `finished`, `output` may still contain the last chunk.
    Pull pull(OutputBuffer& output, FailureObserver* failures);
    /// Of the request, for a source that fails: the request itself need not be kept for it.
    void name_request(const Request& request);
    void done(Outcome outcome) noexcept;

   private:
    Pull take(Source::Ready ready, OutputBuffer& output, char* room);
    Pull take(Source::File file, OutputBuffer& output);
    Pull end(OutputBuffer& output);
    bool fits(std::uint64_t size) noexcept;

    Response response_;
    std::string_view bytes_;
    FileRange file_;
    Source* source_ = nullptr;  // owned by response_
    std::string request_name_;
    Delimiter delimiter_;
    bool chunk_open_ = false;  // the CRLF after a file's chunk is not written yet
    bool ended_ = false;
    std::uint64_t announced_left_ = 0;  // bytes left of a source with a known size
    std::uint64_t content_sent_ = 0;
};

}  // namespace weir::http
