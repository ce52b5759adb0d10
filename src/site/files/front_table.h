#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "site/files/resource.h"

namespace weir::site {

/// Each thread's own latest resources, before the cache that all share: a hit takes no lock. By
/// paths that mean themselves (nothing to decode or to normalise).
class FrontTable {
   public:
    /// A thread's own handle on a resource. Answers count references to the handle, and so not to
    /// a counter that other threads write.
    using Lease = std::shared_ptr<const std::shared_ptr<const Resource>>;

    static FrontTable& of_this_thread() noexcept {
        thread_local FrontTable table;
        return table;
    }

    /// Null where there is none, or none that is valid.
    const Lease* find(std::uint64_t site, std::string_view path) noexcept {
        const std::size_t hash = std::hash<std::string_view>{}(path);
        Slot& slot = slots_[hash % slots_.size()];
        if (slot.hash != hash || slot.site != site || (*slot.lease)->path != path) return nullptr;
        if (!(*slot.lease)->is_valid()) {
            slot = {};
            return nullptr;
        }
        (*slot.lease)->mark_used();
        return &slot.lease;
    }

    void put(std::uint64_t site, std::shared_ptr<const Resource> resource) {
        const std::size_t hash = std::hash<std::string_view>{}(resource->path);
        slots_[hash % slots_.size()] = {
            site, hash,
            std::make_shared<const std::shared_ptr<const Resource>>(std::move(resource))};
    }

   private:
    struct Slot {
        std::uint64_t site = 0;  // 0: empty
        std::size_t hash = 0;
        Lease lease;
    };
    std::array<Slot, 32> slots_;  // 1 KB for each thread
};

}  // namespace weir::site
