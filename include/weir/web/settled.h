#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "weir/base/requires_cxx23.h"

namespace weir::web::detail {

/// A result as a member: a std::monostate for none.
template <typename Result>
using Stored = std::conditional_t<std::is_void_v<Result>, std::monostate, std::decay_t<Result>>;

/// The result of something that has ended, or its exception.
template <typename Result>
class Settled {
   public:
    /// Calls the function that returns the result, or throws.
    template <typename Make>
    void take(Make make) noexcept {
        try {
            if constexpr (std::is_void_v<Result>)
                make();
            else
                value_.emplace(make());
        } catch (...) {
            failure_ = std::current_exception();
        }
    }
    bool has_failed() const noexcept { return failure_ != nullptr; }
    /// Returns the result or throws the exception, once.
    std::decay_t<Result> get() {
        // The last owner may be another thread. Exceptions end where they are caught.
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
        if constexpr (!std::is_void_v<Result>) return std::move(*value_);
    }

   private:
    std::optional<Stored<Result>> value_{};
    std::exception_ptr failure_{};
};

}  // namespace weir::web::detail
