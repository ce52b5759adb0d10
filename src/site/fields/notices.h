#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "site/fields/shared_memo.h"

namespace weir::site {

/// Tells an operator of files that are not served as may be expected: of each once, and of a hundred
/// at most, whichever worker of the server saw them.
class Notices {
   public:
    using Tell = std::function<void(std::string_view)>;

    explicit Notices(Tell tell)
        : tell_{std::move(tell)}, told_{tell_ ? SharedMemo::slots_max : 0} {}

    /// A compressed file was made from an older original.
    void too_old(const std::string& compressed, const std::string& original);

    static constexpr std::uint64_t files_max = 100;

   private:
    /// Its number among those that are told of.
    std::uint64_t next_number() noexcept;

    const Tell tell_;
    SharedMemo told_;
};

}  // namespace weir::site
