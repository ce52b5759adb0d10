#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "weir/web/await.h"
#include "weir/web/call.h"

namespace weir::web {

namespace detail {

class [[nodiscard("early_hints() does nothing without co_await")]] Hinting final : public Awaited {
   public:
    Hinting(Conversation& conversation, std::string lines) noexcept
        : conversation_{conversation}, lines_{std::move(lines)} {}

    bool begin(Runner&);
    void await_resume() const noexcept {}
    bool is_ready(Instant) noexcept override;
    bool wants_content() const noexcept override { return true; }

   private:
    Conversation& conversation_;
    std::string lines_;
};

Hinting hints_of(const Call& call, std::span<const std::string_view> links);

}  // namespace detail

/// `co_await early_hints(call, "</style.css>; rel=preload; as=style")`: sends a 103 with a Link
/// field for each link (RFC 8297, RFC 8288), so that the browser can fetch them while the response
/// is made. Clients of HTTP/1.0 get none. For coroutines, any number of times. Browsers take hints
/// over HTTP/2 only, as a rule, because some older ones of HTTP/1.1 take a 103 for the response.
/// Throws std::invalid_argument if a link cannot be a field value, and std::logic_error in a
/// function.
template <std::convertible_to<std::string_view>... Links>
detail::Hinting early_hints(const Call& call, const Links&... links) {
    const std::array<std::string_view, sizeof...(Links)> all{links...};
    return detail::hints_of(call, all);
}

}  // namespace weir::web
