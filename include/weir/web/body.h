#pragma once

#include <coroutine>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "weir/web/await.h"
#include "weir/web/call.h"

namespace weir::web {

namespace detail {

/// The content of a request on its way to its coroutine.
class Inflow {
   public:
    explicit Inflow(Conversation& conversation) noexcept : conversation_{conversation} {}

   protected:
    bool next_is_ready() const noexcept;
    bool all_is_ready() const noexcept;
    std::optional<std::string_view> take_next() noexcept;
    std::string_view take_all() noexcept;
    void ask(bool for_all);

   private:
    Conversation& conversation_;
};

class [[nodiscard("next() does nothing without co_await")]] NextPiece final : public Awaited,
                                                                              Inflow {
   public:
    explicit NextPiece(Conversation& conversation) noexcept : Inflow{conversation} {}
    bool begin(Runner&) {
        ask(false);
        return !next_is_ready();
    }
    std::optional<std::string_view> await_resume() noexcept { return take_next(); }
    bool is_ready(Instant) noexcept override { return next_is_ready(); }
    bool wants_content() const noexcept override { return true; }
};

class [[nodiscard("all() does nothing without co_await")]] WholeContent final : public Awaited,
                                                                                Inflow {
   public:
    explicit WholeContent(Conversation& conversation) noexcept : Inflow{conversation} {}
    bool begin(Runner&) {
        ask(true);
        return !all_is_ready();
    }
    std::string_view await_resume() noexcept { return take_all(); }
    bool is_ready(Instant) noexcept override { return all_is_ready(); }
    bool wants_content() const noexcept override { return true; }
};

}  // namespace detail

/// The content of a coroutine's request. The first next() or all() asks the peer for it; the peer
/// may send only as fast as the coroutine takes it. A Body lives as long as the call. If the
/// content ends early (the peer leaves, or sends malformed content), the coroutine does not go on.
class Body {
   public:
    explicit Body(detail::Conversation& conversation) noexcept : conversation_{&conversation} {}

    /// `co_await body.next()`: the next bytes, at least one; nothing at the end. The bytes are
    /// valid until the next call. Any number of bytes, unless content_limit() holds. Throws
    /// std::logic_error after all().
    detail::NextPiece next() noexcept { return detail::NextPiece{*conversation_}; }
    /// `co_await body.all()`: the whole content, collected up to http::Limits::content_bytes_max,
    /// or content_limit() (more is a 413). Valid as long as the call. Throws std::logic_error after
    /// next().
    detail::WholeContent all() noexcept { return detail::WholeContent{*conversation_}; }

   private:
    detail::Conversation* conversation_;
};

inline Body Call::body() noexcept { return Body{*conversation_}; }

}  // namespace weir::web
