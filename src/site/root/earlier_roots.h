#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "site/root/root_directory.h"
#include "weir/base/instant.h"

namespace weir::site {

/// The directories to which the root's path led before, each for a limited time. Not thread-safe.
class EarlierRoots {
   public:
    using Root = std::shared_ptr<const RootDirectory>;

    /// 0: keeps none.
    explicit EarlierRoots(std::chrono::milliseconds keeps) : keeps_{keeps} {
        if (keeps_ != keeps_.zero()) kept_.reserve(roots_max);
    }

    /// Takes no memory. Beyond `roots_max`, the oldest one goes.
    void add(Root root, Instant now) noexcept {
        if (keeps_ == keeps_.zero() || !root) return;
        drop_old(now);
        if (kept_.size() == roots_max) kept_.erase(kept_.begin());
        kept_.push_back({.root = std::move(root), .until = now + keeps_});
    }
    /// The newest one first.
    std::vector<Root> at(Instant now) {
        drop_old(now);
        std::vector<Root> roots(kept_.size());
        std::ranges::transform(kept_, roots.rbegin(), &Kept::root);
        return roots;
    }

   private:
    /// Each one is an open descriptor, and costs a missing file a look.
    static constexpr std::size_t roots_max = 8;

    struct Kept {
        Root root;
        Instant until;
    };

    void drop_old(Instant now) noexcept {
        std::erase_if(kept_, [now](const Kept& kept) { return kept.until <= now; });
    }

    std::chrono::milliseconds keeps_;
    std::vector<Kept> kept_;
};

}  // namespace weir::site
