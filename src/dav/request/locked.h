#pragma once

#include <string>
#include <utility>

#include "dav/request/fault.h"

namespace weir::dav {

/// The refusal of a change that needs the token of a lock (RFC 4918 9.10.6, 11.3).
class Locked final : public web::Refusal {
   public:
    /// `root`: the path of the lock.
    Locked(std::string root, bool is_folder)
        : Refusal{locked, "It is locked, and the request does not have the token of the lock"},
          root_{std::move(root)},
          is_folder_{is_folder} {}
    const std::string& root() const noexcept { return root_; }
    bool is_of_folder() const noexcept { return is_folder_; }

   private:
    std::string root_;
    bool is_folder_;
};

}  // namespace weir::dav
