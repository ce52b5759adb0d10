#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "weir/http/head_index.h"
#include "weir/http/origin.h"
#include "weir/http/status.h"

namespace weir::http {

class Deferred;
class Response;
class Waker;

/// Data that a handler keeps between its two calls for a request with content. Only the handler
/// that `owner` points to may take it.
struct Attachment {
    explicit Attachment(const void* of) noexcept : owner{of} {}
    virtual ~Attachment() = default;
    /// As Continuation::refused(), for content that the handler waits for.
    virtual std::optional<Response> refused(Status status, std::string_view reason);
    const void* const owner;
};

/// A view of one request. Its bytes lie in the buffer that the engine received them into, and are
/// valid until the handler returns. A handler that answers later and still needs the request calls
/// share(), which copies the bytes into memory that the request owns. A request is not thread-safe.
/// A shared request is read-only, and one thread at a time may read it.
class Request : public std::enable_shared_from_this<Request> {
   public:
    Method method() const noexcept { return index_.method; }
    std::string_view method_text() const noexcept { return index_.method_text.in(base_); }

    /// The request-target as the peer sent it (RFC 9112 3.2), not decoded.
    std::string_view target() const noexcept { return index_.target.in(base_); }
    TargetForm form() const noexcept { return index_.form; }
    /// The target before `?`, not decoded; "/" if an absolute-form target has no path; "*" in
    /// asterisk-form. If a router gave the request to a mounted handler, only the part after
    /// prefix().
    std::string_view path() const noexcept;
    /// The part that a router has removed from the path, not decoded: "/static" for
    /// "/static/app.css" of a handler that is mounted at /static. Links and redirects to the
    /// handler's own paths start with it.
    std::string_view prefix() const noexcept {
        return index_.path.in(base_).substr(0, prefix_bytes_);
    }
    std::string_view query() const noexcept { return index_.query.in(base_); }
    /// The host and port of the request, from the target or from Host. Empty only in HTTP/1.0.
    std::string_view authority() const noexcept { return index_.authority.in(base_); }
    /// 1 or 2, of HTTP/1.x or HTTP/2.
    unsigned major_version() const noexcept { return major_version_; }
    /// The x of HTTP/1.x: 0 to 9; 0 in HTTP/2.
    unsigned minor_version() const noexcept { return index_.minor_version; }

    /// The value of the first field line with that name, or nothing. A list may come in several
    /// lines (RFC 9110 5.3): use each() or fields() for lists.
    std::optional<std::string_view> field(FieldName name) const noexcept {
        const FieldLine* line = index_.find(name);
        return line ? std::optional{line->value.in(base_)} : std::nullopt;
    }
    /// Does the same for a name without a FieldName. Compares without regard to case.
    std::optional<std::string_view> field(std::string_view name) const noexcept;
    bool has(FieldName name) const noexcept { return index_.has(name); }
    /// True if several lines have that name.
    bool is_repeated(FieldName name) const noexcept { return index_.is_repeated(name); }

    std::span<const FieldLine> fields() const noexcept { return index_.fields; }
    std::string_view name_of(const FieldLine& line) const noexcept { return line.name.in(base_); }
    std::string_view value_of(const FieldLine& line) const noexcept { return line.value.in(base_); }

    /// Calls `visit(value)` for each line with that name, in order.
    template <typename Visit>
    void each(FieldName name, Visit visit) const {
        if (!has(name)) return;
        for (const FieldLine& line : index_.fields)
            if (line.id == name) visit(value_of(line));
    }

    /// True if the request has content that the handler has not got yet. Return ReadContent or
    /// StreamContent to get it.
    bool content_pending() const noexcept { return content_pending_; }
    /// The value of Content-Length in bytes; nothing if the content is chunked or if there is none.
    std::optional<std::uint64_t> content_length() const noexcept { return content_length_; }
    /// The whole content, decoded. Empty unless the handler asked for it with ReadContent.
    std::string_view content() const noexcept { return content_; }
    /// The trailer section as the peer sent it, validated: lines of "name: value". Empty until the
    /// content has been read.
    std::string_view trailers() const noexcept { return trailers_; }

    const Origin& origin() const noexcept { return *origin_; }
    /// Identifies the request on its connection.
    RequestId id() const noexcept { return id_; }

    /// Keeps the request valid after the handler has returned. Call it before the handler returns.
    std::shared_ptr<const Request> share() const;
    /// To answer later, from any thread: call this, and return `Later{}` from the handler.
    Deferred defer() const;
    /// For a source or a sink that pauses.
    Waker waker() const;

    /// Keeps data of a handler until the handler is called again, with the content. Call it only
    /// while content_pending(). If the request ends before, the attachment is destroyed with it.
    void attach(std::unique_ptr<Attachment> attachment) const noexcept {
        attachment_ = std::move(attachment);
    }
    const Attachment* attachment() const noexcept { return attachment_.get(); }
    std::unique_ptr<Attachment> take_attachment() const noexcept { return std::move(attachment_); }

    /// For routers: the first `prefix_bytes` of the path belong to prefix(), and the remaining ones
    /// are path(), which must start with "/". 0 removes the prefix.
    void mount(std::uint32_t prefix_bytes) const noexcept { prefix_bytes_ = prefix_bytes; }

    /// The parts that rewrite() replaces.
    struct View {
        Stretch path;
        Stretch query;
        std::uint32_t prefix_bytes = 0;
    };
    /// For handlers around handlers: takes path(), query() and prefix() from `target`, whose first
    /// `prefix_bytes` belong to prefix(). `target` starts with "/" and has no fragment; the request
    /// keeps a copy. target() does not change. All earlier views of the request become invalid.
    /// Call it only while the request is not shared. Returns the replaced parts for restore(): a
    /// handler may be called again, with the content.
    View rewrite(std::string_view target, std::uint32_t prefix_bytes = 0) const;
    void restore(const View& view) const noexcept;
    /// path() before rewrite(); the same as path() if there was none. asked_query() is likewise.
    std::string_view asked_path() const noexcept;
    std::string_view asked_query() const noexcept {
        return ((traces_ & is_rewritten) != 0 ? asked_.query : index_.query).in(base_);
    }

    /// For handlers around handlers: changes the value of the field line at `index` of fields().
    /// All earlier views of the request become invalid. Call it only while the request is not
    /// shared.
    void change(std::size_t index, std::string_view value) const;

    /// For handlers around handlers: a proxy sent the request for a client with this address.
    /// Origin::append_address() appends it from then on, for inner handlers and for logs. Call it
    /// only while the request is not shared.
    void come_from(std::string address) const;

    /// Only connections make requests, through RequestSlot.
    struct Key {
       private:
        Key() = default;
        friend class RequestSlot;
    };
    explicit Request(Key) {}
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

   private:
    friend class RequestSlot;

    void own() const;
    Stretch append(std::string_view text) const;
    Ticket ticket() const noexcept;

    mutable HeadIndex index_;             // mutable for change() and rewrite()
    mutable const char* base_ = nullptr;  // the head's first byte
    mutable std::string own_head_;        // the head's bytes after share(), own() or change()
    std::string content_;
    std::string trailers_;
    std::optional<std::uint64_t> content_length_;
    mutable std::unique_ptr<Attachment> attachment_;
    mutable std::uint32_t prefix_bytes_ = 0;
    bool content_pending_ = false;
    std::uint8_t major_version_ = 1;
    // Traces of a request that RequestSlot removes before the next request uses the memory.
    static constexpr std::uint8_t is_shared = 1;  // another owner may still read it, on any thread
    static constexpr std::uint8_t is_rewritten = 2;
    mutable std::uint8_t traces_ = 0;
    mutable View asked_{};                             // the parts before rewrite()
    mutable Origin* origin_ = nullptr;                 // mutable for come_from()
    mutable std::shared_ptr<const void> kept_origin_;  // after share(), come_from()
    RequestId id_ = 0;
};

}  // namespace weir::http
