#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/quick_hash.h"
#include "base/thread_local.h"
#include "site/files/resource.h"

namespace weir::site {

/// The latest resources of each thread, in front of the shared cache: a hit takes no lock. The
/// table holds only paths that need no decoding and no normalisation.
class ThreadCache {
   public:
    /// A thread's own handle on a resource. Responses count references to the handle, so they do
    /// not write to a counter that other threads write too.
    using LocalRef = std::shared_ptr<const std::shared_ptr<const Resource>>;

    /// Null if there is no memory for the table.
    static ThreadCache* of_this_thread() noexcept { return ThreadLocal<ThreadCache>::get(); }

    struct Hit {
        const Resource* resource = nullptr;  // null: no valid one
        std::shared_ptr<const void> owner;   // keeps the resource alive
    };
    Hit find(std::uint64_t site, std::string_view path) noexcept {
        const std::size_t hash = quick_hash(path);
        Slot& slot = slots_[hash % slots_.size()];
        if (slot.hash != hash || slot.site != site) return {};
        if (!slot.lease) [[unlikely]]
            return find_file(slot, path);
        if ((*slot.lease)->path != path) return {};
        if (!(*slot.lease)->is_valid()) {
            slot = {};
            return {};
        }
        (*slot.lease)->mark_used();
        return {slot.lease->get(), slot.lease};
    }

    void put(std::uint64_t site, std::shared_ptr<const Resource> resource) {
        const std::size_t hash = quick_hash(resource->path);
        Slot& slot = slots_[hash % slots_.size()];
        slot = {.site = site, .hash = hash, .lease = {}, .with_file = {}};
        if (resource->descriptors != 0)
            slot.with_file = resource;
        else
            slot.lease =
                std::make_shared<const std::shared_ptr<const Resource>>(std::move(resource));
    }

   private:
    struct Slot {
        std::uint64_t site = 0;  // 0: empty
        std::size_t hash = 0;
        LocalRef lease;                           // null if the resource has an open file
        std::weak_ptr<const Resource> with_file;  // weak: the cache can close the file
    };

    static Hit find_file(Slot& slot, std::string_view path) noexcept {
        auto resource = slot.with_file.lock();
        if (!resource || !resource->is_valid()) {
            slot = {};
            return {};
        }
        if (resource->path != path) return {};
        resource->mark_used();
        const Resource* const found = resource.get();
        return {found, std::move(resource)};
    }

    std::array<Slot, 32> slots_;  // 1.5 KB per thread
};

}  // namespace weir::site
