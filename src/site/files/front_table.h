#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "site/files/resource.h"

namespace weir::site {

/// The latest resources of each thread, in front of the shared cache: a hit takes no lock. It holds
/// only paths that need no decoding and no normalisation.
class FrontTable {
   public:
    /// A thread's own handle on a resource. Answers count references to the handle, so they do not
    /// write to a counter that other threads write too.
    using Lease = std::shared_ptr<const std::shared_ptr<const Resource>>;

    static FrontTable& of_this_thread() noexcept {
        thread_local FrontTable table;
        return table;
    }

    /// Null if there is no valid resource.
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
    std::array<Slot, 32> slots_;  // 1 KB per thread
};

}  // namespace weir::site
