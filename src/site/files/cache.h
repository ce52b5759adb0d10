#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "site/files/resource.h"
#include "weir/site/site.h"

namespace weir::site {

/// The resources that every thread shares, bounded in entries, bytes and descriptors. What is
/// evicted is what nobody used since the last time around (CLOCK). Thread-safe.
///
/// A resource in here is valid, and one that leaves is made invalid: a thread that holds on to it
/// needs to look at nothing else.
class Cache {
   public:
    explicit Cache(const CacheOptions& limits) : limits_{limits} {}

    std::shared_ptr<const Resource> find(std::string_view path);

    /// How many changes were reported so far. Read before a file is looked at, given to insert()
    /// afterwards: a change in between leaves the resource out of the cache.
    std::uint64_t changes() const;
    void insert(std::shared_ptr<const Resource> resource, std::uint64_t changes_seen);
    void remove(const Resource& resource);

    /// Something at `path` (relative) was made, changed, moved or deleted.
    void changed(const std::string& path);
    void all_changed();

    // Around fork(2): the child must not inherit a locked mutex.
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    void all_changed_while_locked() noexcept;

    struct Usage {
        std::size_t entries, bytes, descriptors;
    };
    Usage usage() const;

   private:
    using Entry = std::shared_ptr<const Resource>;

    void erase(std::size_t at);
    void make_room(const Resource& resource);

    CacheOptions limits_;
    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string_view, std::size_t> by_path_;  // into entries_; keys are theirs
    // Each path that a resource depends on: its facts', and the directories above them.
    std::unordered_map<std::string, std::unordered_set<const Resource*>> dependents_;
    std::size_t hand_ = 0;
    std::size_t bytes_ = 0;
    std::size_t descriptors_ = 0;
    std::uint64_t changes_ = 0;
};

}  // namespace weir::site
