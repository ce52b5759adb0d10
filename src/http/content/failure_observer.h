#pragma once

#include <exception>
#include <string_view>

namespace weir::http {

/// Told of each exception that the program's code lets through, by the thread that has called this
/// code. Must not block.
class FailureObserver {
   public:
    /// `code` is the part that threw, such as "a source", and `request` its request, such as
    /// "GET /a?b", as the peer wrote it.
    virtual void failed(std::string_view code, std::string_view request,
                        std::exception_ptr exception) noexcept = 0;

   protected:
    ~FailureObserver() = default;
};

}  // namespace weir::http
