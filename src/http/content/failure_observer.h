#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace weir::http {

/// Told of each failure of the program's code, by the thread that has called this code. Must not
/// block.
class FailureObserver {
   public:
    /// `what` has happened, such as "a source threw an exception", and `request` is its request,
    /// such as "GET /a?b", as the peer wrote it. `cause` may be null.
    virtual void failed(std::string_view what, std::string_view request,
                        std::exception_ptr cause) noexcept = 0;

   protected:
    ~FailureObserver() = default;
};

/// "a source threw an exception for GET /a?b: no luck". Not escaped.
std::string failure_text(std::string_view what, std::string_view request, std::exception_ptr cause);

}  // namespace weir::http
