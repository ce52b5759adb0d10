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

/// The resources that all threads share, within limits on entries, bytes and descriptors. It evicts
/// a resource that was not used since the hand last passed it (CLOCK). Thread-safe.
///
/// A resource in the cache is valid. The cache marks a resource invalid when it removes it, so a
/// thread that keeps a resource need only check that mark.
class Cache {
   public:
    explicit Cache(const CacheOptions& limits) : limits_{limits} {}

    std::shared_ptr<const Resource> find(std::string_view path);

    /// The number of changes reported so far. Read it before you look at a file, and give it to
    /// insert() afterwards. If a change was reported in between, insert() does not take the
    /// resource.
    std::uint64_t changes() const;
    void insert(std::shared_ptr<const Resource> resource, std::uint64_t changes_seen);
    void remove(const Resource& resource);
    /// Closes a file that no answer uses at the moment, the one that was not used for longest. False
    /// where there is none.
    bool close_a_file();

    /// Something at `path` (relative) was created, changed, moved or deleted.
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

    /// Finds a string by a view of it, without a copy.
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
    std::unordered_map<std::string_view, std::size_t> by_path_;  // indices into entries_; the
                                                                 // entries own the keys
    // The paths that a resource depends on: those of its facts, and the directories above them.
    std::unordered_map<std::string, std::unordered_set<const Resource*>, PathHash, std::equal_to<>>
        dependents_;
    std::size_t hand_ = 0;
    std::size_t bytes_ = 0;
    std::size_t descriptors_ = 0;
    std::uint64_t changes_ = 0;
};

}  // namespace weir::site
