#pragma once

#include <string>
#include <utility>

#include "weir/web/refusal.h"

namespace weir::dav {

/// Statuses that http::Status has no name for.
inline constexpr auto multi_status = http::Status{207};
inline constexpr auto locked = http::Status{423};
inline constexpr auto failed_dependency = http::Status{424};

/// A refusal that names the condition that was not met, as XML (RFC 4918 16).
class Fault final : public web::Refusal {
   public:
    /// `condition`: the element inside of DAV:error.
    Fault(http::Status status, const std::string& detail, std::string condition)
        : Refusal{status, detail}, condition_{std::move(condition)} {}
    const std::string& condition() const noexcept { return condition_; }

   private:
    std::string condition_;
};

}  // namespace weir::dav
