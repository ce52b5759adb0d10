#pragma once

#include <string>
#include <utility>

#include "dav/request/fault.h"

namespace weir::dav {

/// The refusal of a change that needs the token of a lock (RFC 4918 9.10.6, 11.3).
class Locked final : public web::Refusal {
   public:
    /// `root`: the path of the lock.
    explicit Locked(std::string root)
        : Refusal{locked, "It is locked, and the request does not have the token of the lock"},
          root_{std::move(root)} {}
    const std::string& root() const noexcept { return root_; }

   private:
    std::string root_;
};

}  // namespace weir::dav
