#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "net/descriptors.h"
#include "site/files/resource.h"
#include "weir/site/site.h"

namespace weir::site {

/// The resources that all threads share, within limits on entries, bytes and descriptors. The cache
/// evicts a resource that was not used since the hand last passed it (CLOCK). Thread-safe.
///
/// A resource in the cache is valid, unless invalidate_watched() was called since. The cache marks a
/// resource invalid when it removes it, so a thread that keeps a resource need only check that
/// mark.
class Cache final : public net::FileOwner {
   public:
    explicit Cache(const CacheOptions& limits) : limits_{limits} {}

    std::shared_ptr<const Resource> find(std::string_view path);

    /// The number of changes reported so far. Read this number before you examine a file, and give
    /// it to insert() afterwards. If a change was reported in between, insert() does not take the
    /// resource.
    std::uint64_t changes() const;
    void insert(std::shared_ptr<const Resource> resource, std::uint64_t changes_seen);
    void remove(const Resource& resource);
    /// Makes each watched resource invalid until its dependencies have been checked again. find() still
    /// returns such a resource, and confirm() makes it valid.
    void invalidate_watched() noexcept;
    /// Makes the resource valid after a check of its dependencies. False if a change was reported since
    /// `changes_seen`, or if the resource is not in the cache.
    bool confirm(const Resource& resource, std::uint64_t changes_seen);
    /// Evicts an open file that was not used lately and that no response uses. False if there is
    /// none.
    bool close_a_file() override;

    /// Call this after something at `path` (relative) was created, changed, moved or deleted.
    void changed(const std::string& path);
    void all_changed();

    // Held around fork(2), so that the child does not inherit a mutex that another thread locked.
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    void all_changed_while_locked() noexcept;

    struct Usage {
        std::size_t entries, bytes, descriptors;
    };
    Usage usage() const;

   private:
    using Entry = std::shared_ptr<const Resource>;

    bool has(const Resource& resource) const;
    /// Hashes a view, so that a lookup makes no copy of the path.
    struct PathHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view path) const noexcept {
            return std::hash<std::string_view>{}(path);
        }
    };

    void add(Entry resource);
    void erase(std::size_t at) noexcept;
    bool is_closable(std::size_t at) const noexcept;
    void make_room(const Resource& resource);

    CacheOptions limits_;
    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string_view, std::size_t> by_path_;  // indices; entries_ has the keys
    // Per path, the resources that depend on it: by their dependencies, and by the directories above
    // these.
    std::unordered_map<std::string, std::unordered_set<const Resource*>, PathHash, std::equal_to<>>
        dependents_;
    std::size_t hand_ = 0;
    std::size_t bytes_ = 0;
    std::size_t descriptors_ = 0;
    std::uint64_t changes_ = 0;
};

/// A cache that closes files when descriptors run short.
std::shared_ptr<Cache> make_cache(const CacheOptions& limits);

}  // namespace weir::site
