#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/content/failure_observer.h"
#include "http/syntax/fault.h"
#include "weir/http/handler.h"

namespace weir::http {

/// Calls the code of a program for one request. An exception counts as a failure of the part that
/// threw it. The observer is told of failures.
class UserCode {
   public:
    /// The observer may be null.
    UserCode(FailureObserver* observer, const Request& request) noexcept
        : observer_{observer}, request_{&request} {}
    /// By the request's name, where the request itself may not be kept. It is borrowed.
    UserCode(FailureObserver* observer, std::string_view name) noexcept
        : observer_{observer}, name_{name} {}

    /// "GET /a?b".
    static std::string name_of(const Request& request);

    Reply handle(Handler& handler) const noexcept;
    Reply resume(Continuation& continuation) const noexcept;
    Sink::Taken take(Sink& sink, std::string_view bytes) const noexcept;
    Source::Pulled pull(Source& source, std::span<char> into) const noexcept;
    /// False if the source throws.
    bool ask_size(const Source& source, std::optional<std::uint64_t>& size) const noexcept;
    /// The response to a fault after the head was read. The continuation, which may be null, or the
    /// request's attachment may have one of its own. Throws std::bad_alloc.
    Response refusal(Fault fault, Continuation* continuation) const;

   private:
    template <typename Call>
    Reply reply_of(Call call) const noexcept;
    std::optional<Response> own_refusal(const FaultAnswer& said, Continuation* continuation) const;
    void tell(std::string_view what, std::exception_ptr cause) const noexcept;
    void tell_thrown(std::string_view what) const noexcept;

    FailureObserver* observer_;
    const Request* request_ = nullptr;  // null: it has a name
    std::string_view name_{};
};

}  // namespace weir::http
