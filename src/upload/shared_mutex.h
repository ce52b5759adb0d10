#pragma once

#include <expected>
#include <string>

#include "net/mapping.h"

namespace weir::upload {

/// A mutex of this process and its forked children, for std::scoped_lock. If the owner's process
/// dies, the next process that locks it gets it.
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
