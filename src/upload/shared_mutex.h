#pragma once

#include <expected>
#include <string>

#include "net/mapping.h"

namespace weir::upload {

/// A mutex of this process and of those that it forks. If the owner's process dies, the next one gets it.
/// For std::scoped_lock.
class SharedMutex {
   public:
    /// The error is a sentence without its full stop.
    static std::expected<SharedMutex, std::string> make();

    void lock() noexcept;
    void unlock() noexcept;

   private:
    explicit SharedMutex(net::Mapping mapping) noexcept : mapping_{std::move(mapping)} {}

    net::Mapping mapping_;
};

}  // namespace weir::upload
