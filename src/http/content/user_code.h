#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/content/failure_observer.h"
#include "weir/http/handler.h"

namespace weir::http {

/// Calls the code of a program for one request. An exception counts as a failure of the part that
/// threw it, and the observer is told.
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

   private:
    template <typename Call>
    Reply reply_of(Call call) const noexcept;
    void tell(std::string_view code) const noexcept;

    FailureObserver* observer_;
    const Request* request_ = nullptr;  // null: it has a name
    std::string_view name_{};
};

}  // namespace weir::http
