#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "weir/http/status.h"

namespace weir::http {

/// A stretch of an open file. The core passes it through to the engine and never reads it.
/// The descriptor stays the owner's; see Response::retain.
struct FileRange {
    int fd = -1;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// How an answer ended.
enum class Outcome : std::uint8_t {
    sent,       // the last byte was handed to the kernel
    peer_gone,  // the peer closed or reset the connection
    timed_out,  // the peer took nothing, or the source gave nothing, for too long
    source_failed,
    stopped,  // the server stopped first
};

/// Content of unknown or large size, pulled as the peer takes it. Pulled by the thread that drives
/// the connection; it must not block.
class Source {
   public:
    struct Ready {
        std::size_t size;
    };  // so many bytes, at least one, were written into `into`
    struct File {
        FileRange range;
    };  // a stretch of a file comes next; `into` was not touched
    struct NotReady {};  // nothing yet: Waker::wake() will say when
    struct End {};
    struct Failed {};  // the connection is closed, so that the peer sees the cut
    using Pulled = std::variant<Ready, File, NotReady, End, Failed>;

    virtual ~Source() = default;
    virtual Pulled pull(std::span<char> into) = 0;
    /// Bytes in all, where they are known: sent with Content-Length instead of chunked.
    virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
    /// Called once, before the source is destroyed.
    virtual void done(Outcome) noexcept {}
};

/// One answer. The core adds Date, Connection, Content-Length and Transfer-Encoding itself.
class Response {
   public:
    using Content = std::variant<std::monostate, std::string_view, std::string, FileRange,
                                 std::unique_ptr<Source>>;

    explicit Response(Status status = Status::ok) : status_{status} {}

    /// Appends a field line. Throws std::invalid_argument where the name is no token, the value has
    /// a CR, LF or NUL, or the field is one that the core adds.
    Response& add(std::string_view name, std::string_view value) &;
    Response&& add(std::string_view name, std::string_view value) &&;
    /// Field lines that are rendered already ("Name: value\r\n"...), borrowed from what `retain`
    /// keeps.
    Response& prepared_fields(std::string_view lines) & {
        prepared_fields_ = lines;
        return *this;
    }

    /// Content that the response owns.
    Response& content(std::string bytes) & {
        content_ = std::move(bytes);
        return *this;
    }
    /// Content that outlives the response: static, or kept by `retain`.
    Response& content_view(std::string_view bytes) & {
        content_ = bytes;
        return *this;
    }
    Response& content(FileRange range) & {
        content_ = range;
        return *this;
    }
    Response& content(std::unique_ptr<Source> source) & {
        content_ = std::move(source);
        return *this;
    }

    /// Keeps alive what the response borrows (prepared fields, content, descriptor) until it was
    /// sent.
    Response& retain(std::shared_ptr<const void> owner) & {
        owner_ = std::move(owner);
        return *this;
    }
    /// The connection closes after this answer.
    Response& close() & {
        close_ = true;
        return *this;
    }

    Status status() const noexcept { return status_; }
    std::string_view own_fields() const noexcept { return fields_; }
    std::string_view prepared_fields() const noexcept { return prepared_fields_; }
    bool closes() const noexcept { return close_; }
    Content& content() noexcept { return content_; }
    const Content& content() const noexcept { return content_; }
    std::shared_ptr<const void>& owner() noexcept { return owner_; }

   private:
    Status status_;
    bool close_ = false;
    std::string fields_;
    std::string_view prepared_fields_;
    Content content_;
    std::shared_ptr<const void> owner_;
};

/// A small page that names the status, for answers that have nothing better to show.
/// `detail` is a sentence of plain text without its full stop (escaped here). If it is empty, the
/// page explains the status itself.
Response error_response(Status status, std::string_view detail = {});

}  // namespace weir::http
