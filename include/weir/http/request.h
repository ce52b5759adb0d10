#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weir/http/head_index.h"
#include "weir/http/origin.h"

namespace weir::http {

class Deferred;
class Waker;

/// One request as a handler sees it: a view. Its bytes lie in the buffer that the engine received
/// them into, and are there until the handler returns. A handler that answers later and still needs
/// the request takes `share()`, which moves the bytes into memory of the request's own.
/// Not thread-safe; a shared request is read-only and may be read by any one thread at a time.
class Request : public std::enable_shared_from_this<Request> {
   public:
    Method method() const noexcept { return index_.method; }
    std::string_view method_text() const noexcept { return index_.method_text.in(base_); }

    /// The request-target as the peer wrote it (RFC 9112 3.2), nothing decoded.
    std::string_view target() const noexcept { return index_.target.in(base_); }
    TargetForm form() const noexcept { return index_.form; }
    /// Up to `?`; "/" where an absolute-form target has no path; "*" in asterisk-form.
    std::string_view path() const noexcept;
    std::string_view query() const noexcept { return index_.query.in(base_); }
    /// The host and port that the request is for: the target's own, or Host. Empty only in
    /// HTTP/1.0.
    std::string_view authority() const noexcept { return index_.authority.in(base_); }
    /// The x of HTTP/1.x.
    unsigned minor_version() const noexcept { return index_.minor_version; }

    /// The value of the first line of that name; nothing where there is none. Where a list may
    /// come in several lines (RFC 9110 5.3), go over `fields()`.
    std::optional<std::string_view> field(FieldName name) const noexcept {
        const FieldLine* line = index_.find(name);
        return line ? std::optional{line->value.in(base_)} : std::nullopt;
    }
    /// The same for a name that has no FieldName; compared without regard to case.
    std::optional<std::string_view> field(std::string_view name) const noexcept;
    bool has(FieldName name) const noexcept { return index_.has(name); }

    std::span<const FieldLine> fields() const noexcept { return index_.fields; }
    std::string_view name_of(const FieldLine& line) const noexcept { return line.name.in(base_); }
    std::string_view value_of(const FieldLine& line) const noexcept { return line.value.in(base_); }

    /// Calls `visit(value)` for each line of that name, in order.
    template <typename Visit>
    void each(FieldName name, Visit visit) const {
        if (!has(name)) return;
        for (const FieldLine& line : index_.fields)
            if (line.id == name) visit(value_of(line));
    }

    /// True where content follows that has not been read: answer with ReadContent (or a sink) to
    /// get it.
    bool content_pending() const noexcept { return content_pending_; }
    /// What Content-Length announces; nothing where the content is chunked or there is none.
    std::optional<std::uint64_t> content_length() const noexcept { return content_length_; }
    /// The whole content, decoded; empty until it was asked for with ReadContent.
    std::string_view content() const noexcept { return content_; }
    /// The trailer section as sent, one "name: value" a line, validated; empty until read.
    std::string_view trailers() const noexcept { return trailers_; }

    const Origin& origin() const noexcept { return *origin_; }
    /// Its name among the requests of its connection.
    RequestId id() const noexcept { return id_; }

    /// Keeps the request beyond the handler's return.
    std::shared_ptr<const Request> share() const;
    /// For an answer that comes later, from any thread: return `Later{}` from the handler.
    Deferred defer() const;
    /// For a source or sink that pauses.
    Waker waker() const;

    /// Made by connections only, through RequestSlot.
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
    Ticket ticket() const noexcept;

    HeadIndex index_;
    mutable const char* base_ = nullptr;  // the head's first byte
    mutable std::string own_head_;        // the head, once it no longer lies in the engine's buffer
    std::string content_;
    std::string trailers_;
    std::optional<std::uint64_t> content_length_;
    bool content_pending_ = false;
    mutable bool shared_ = false;  // somebody may still read it, on any thread: not used again
    Origin* origin_ = nullptr;
    RequestId id_ = 0;
};

}  // namespace weir::http
