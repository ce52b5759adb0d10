#pragma once

#include <cstdint>
#include <string_view>

#include "http/answer/output_buffer.h"
#include "http/answer/render.h"
#include "weir/http/response.h"

namespace weir::http {

/// Content that is sent from where it lies, behind a head that was rendered before it: bytes too
/// long to copy, a stretch of a file, or what a source gives. There is at most one a connection,
/// and it is always the last thing that the connection is sending.
class Outgoing {
   public:
    enum class Pull : std::uint8_t { pulled, not_ready, finished, failed };

    /// Takes over the response's content and its owner. `delimiter` says how its end was announced.
    Outgoing(Response&& response, Delimiter delimiter);
    ~Outgoing();
    Outgoing(const Outgoing&) = delete;
    Outgoing& operator=(const Outgoing&) = delete;

    std::string_view bytes() const noexcept { return bytes_; }
    const FileRange& file() const noexcept { return file_; }
    Status status() const noexcept { return response_.status(); }
    std::uint64_t content_sent() const noexcept { return content_sent_; }
    /// All that is at hand was sent; pull() may have more.
    bool empty() const noexcept { return bytes_.empty() && file_.size == 0; }

    /// `size` bytes of bytes(), then of file(), were sent.
    void sent(std::uint64_t size) noexcept;
    /// When empty() and `output` is sent: brings more from the source into `output` or file().
    /// `finished` may still leave the last chunk in `output`.
    Pull pull(OutputBuffer& output);
    void done(Outcome outcome) noexcept;

   private:
    Pull take(Source::Ready ready, OutputBuffer& output, char* room);
    Pull take(Source::File file, OutputBuffer& output);
    Pull end(OutputBuffer& output);
    bool fits(std::uint64_t size) noexcept;

    Response response_;
    std::string_view bytes_;
    FileRange file_;
    Source* source_ = nullptr;  // lives in response_
    Delimiter delimiter_;
    bool chunk_open_ = false;  // the CRLF behind a file's chunk is still owed
    bool ended_ = false;
    std::uint64_t announced_left_ = 0;  // of a source with a known size
    std::uint64_t content_sent_ = 0;
};

}  // namespace weir::http
