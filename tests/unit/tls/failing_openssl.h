#pragma once

#include "support/time_limit.h"

namespace weir::tls {

/// Has an allocation of OpenSSL fail. It takes a program of its own, because OpenSSL takes other
/// allocators only before its first allocation.
class FailingOpenSsl {
   public:
    /// From one allocation to the next that fails: sanitizers make OpenSSL slow.
    static constexpr long stride = tests::sanitized ? 5 : 1;

    static bool is_in_use() noexcept;
    /// The allocation numbered `nth` fails; 1 is the next one.
    static void fail(long nth) noexcept;
    /// There is memory again.
    static void clear() noexcept;
    /// True if the allocation has failed since fail().
    static bool has_failed() noexcept;
};

}  // namespace weir::tls
