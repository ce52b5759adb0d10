#include "site/files/cache.h"

#include <new>
#include <utility>

#include "base/troubles.h"
#include "site/path/paths.h"

namespace weir::site {

namespace {

/// Calls `visit(path)` for each path that the resource depends on. Some paths are visited
/// repeatedly.
template <typename Visit>
void for_each_dependency(const Resource& resource, Visit visit) {
    for (const FileDependency& dependency : resource.dependencies) {
        visit(std::string_view{dependency.path});
        for_each_directory_above(dependency.path, visit);
    }
}

}  // namespace

std::shared_ptr<Cache> make_cache(const CacheOptions& limits) {
    auto cache = std::make_shared<Cache>(limits);
    net::descriptors().join(cache);
    return cache;
}

std::shared_ptr<const Resource> Cache::find(std::string_view path) {
    const std::lock_guard lock{mutex_};
    const auto found = by_path_.find(path);
    if (found == by_path_.end()) return nullptr;
    entries_[found->second]->mark_used();
    return entries_[found->second];
}

std::uint64_t Cache::changes() const {
    const std::lock_guard lock{mutex_};
    return changes_;
}

void Cache::insert(std::shared_ptr<const Resource> resource, std::uint64_t changes_seen) {
    const std::lock_guard lock{mutex_};
    if (changes_seen != changes_ || resource->bytes > limits_.bytes_max ||
        resource->descriptors > limits_.descriptors_max || limits_.entries_max == 0)
        return;
    if (const auto old = by_path_.find(resource->path); old != by_path_.end()) erase(old->second);
    make_room(*resource);

    try {
        add(std::move(resource));
    } catch (const std::bad_alloc&) {  // the request has its resource, and the next one tries again
        troubles().note(Trouble::memory);
    }
}

void Cache::add(Entry resource) {
    const Resource& added = *resource;
    const std::size_t at = entries_.size();
    entries_.push_back(std::move(resource));
    bytes_ += added.bytes;
    descriptors_ += added.descriptors;
    try {
        by_path_.emplace(added.path, at);
        for_each_dependency(
            added, [&](std::string_view path) { dependents_[std::string{path}].insert(&added); });
    } catch (...) {
        erase(at);
        throw;
    }
    added.set_valid(true);
}

void Cache::make_room(const Resource& resource) {
    while (!entries_.empty() && (entries_.size() + 1 > limits_.entries_max ||
                                 bytes_ + resource.bytes > limits_.bytes_max ||
                                 descriptors_ + resource.descriptors > limits_.descriptors_max)) {
        if (hand_ >= entries_.size()) hand_ = 0;
        // A used resource gets a second chance: it stays until the hand comes around again.
        if (entries_[hand_]->used.exchange(false, std::memory_order_relaxed))
            ++hand_;
        else
            erase(hand_);
    }
}

/// True for an open file to which only the cache refers.
bool Cache::is_closable(std::size_t at) const noexcept {
    return entries_[at]->descriptors != 0 && entries_[at].use_count() == 1;
}

bool Cache::close_a_file() {
    const std::lock_guard lock{mutex_};
    if (descriptors_ == 0) return false;
    // Each used resource gets a second chance, so two rounds find a closable one if there is any.
    for (std::size_t left = 2 * entries_.size(); left > 0; --left, ++hand_) {
        if (hand_ >= entries_.size()) hand_ = 0;
        if (!is_closable(hand_) || entries_[hand_]->used.exchange(false, std::memory_order_relaxed))
            continue;
        erase(hand_);
        return true;
    }
    return false;
}

/// Allocates no memory. Also erases an entry that was added only in part.
void Cache::erase(std::size_t at) noexcept {
    const Entry entry = std::move(entries_[at]);
    entry->set_valid(false);
    for_each_dependency(*entry, [&](std::string_view path) {
        const auto dependents = dependents_.find(path);
        if (dependents == dependents_.end()) return;
        dependents->second.erase(entry.get());
        if (dependents->second.empty()) dependents_.erase(dependents);
    });
    bytes_ -= entry->bytes;
    descriptors_ -= entry->descriptors;
    by_path_.erase(entry->path);
    if (at + 1 < entries_.size()) {
        entries_[at] = std::move(entries_.back());
        by_path_.find(entries_[at]->path)->second = at;
    }
    entries_.pop_back();
}

bool Cache::has(const Resource& resource) const {
    const auto found = by_path_.find(resource.path);
    return found != by_path_.end() && entries_[found->second].get() == &resource;
}

void Cache::remove(const Resource& resource) {
    const std::lock_guard lock{mutex_};
    if (has(resource)) erase(by_path_.at(resource.path));
}

void Cache::invalidate_watched() noexcept {
    const std::lock_guard lock{mutex_};
    for (const Entry& entry : entries_)
        if (entry->watched) entry->set_valid(false);
}

bool Cache::confirm(const Resource& resource, std::uint64_t changes_seen) {
    const std::lock_guard lock{mutex_};
    if (changes_seen != changes_ || !has(resource)) return false;
    resource.set_valid(true);
    return true;
}

void Cache::changed(const std::string& path) {
    const std::lock_guard lock{mutex_};
    ++changes_;
    for (auto found = dependents_.find(path); found != dependents_.end();
         found = dependents_.find(path))
        erase(by_path_.at((*found->second.begin())->path));
}

void Cache::all_changed() {
    const std::lock_guard lock{mutex_};
    all_changed_while_locked();
}

void Cache::all_changed_while_locked() noexcept {
    ++changes_;
    for (const Entry& entry : entries_) entry->set_valid(false);
    dependents_.clear();
    by_path_.clear();
    entries_.clear();
    bytes_ = descriptors_ = 0;
}

Cache::Usage Cache::usage() const {
    const std::lock_guard lock{mutex_};
    return {entries_.size(), bytes_, descriptors_};
}

}  // namespace weir::site
