#include "compress/cache/body_cache.h"

#include <utility>

namespace weir::compress {

namespace {
// The approximate cost of the allocator, the table of keys and the pointers for each entry.
constexpr std::size_t overhead_bytes = 256;
}  // namespace

std::size_t BodyCache::Entry::bytes() const noexcept {
    return sizeof(Entry) + sizeof(Body) + overhead_bytes + key.capacity() + body->bytes.capacity();
}

std::shared_ptr<const Body> BodyCache::find(std::string_view key) {
    const std::lock_guard lock{mutex_};
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    const auto& body = entries_[found->second]->body;
    body->mark_used();
    return body;
}

void BodyCache::insert(std::string key, std::shared_ptr<const Body> body) {
    auto entry = std::make_unique<Entry>(std::move(key), std::move(body));
    const std::size_t bytes = entry->bytes();
    if (bytes > bytes_max_) return;
    const std::lock_guard lock{mutex_};
    if (const auto old = by_key_.find(entry->key); old != by_key_.end()) erase(old->second);
    make_room(bytes);
    const Body& added = *entry->body;
    entries_.reserve(entries_.size() + 1);  // after emplace() below, nothing can fail
    by_key_.emplace(entry->key, entries_.size());
    entries_.push_back(std::move(entry));
    bytes_ += bytes;
    added.is_cached.store(true, std::memory_order_release);
}

void BodyCache::make_room(std::size_t bytes) noexcept {
    while (!entries_.empty() && bytes_ + bytes > bytes_max_) {
        if (hand_ >= entries_.size()) hand_ = 0;
        // A used entry gets a second chance: it stays until the hand comes around again.
        if (entries_[hand_]->body->used.exchange(false, std::memory_order_relaxed)) {
            ++hand_;
            continue;
        }
        erase(hand_);
        ++evicted_;
    }
}

void BodyCache::erase(std::size_t at) noexcept {
    const auto entry = std::move(entries_[at]);
    entry->body->is_cached.store(false, std::memory_order_release);
    bytes_ -= entry->bytes();
    by_key_.erase(entry->key);
    if (at + 1 < entries_.size()) {
        entries_[at] = std::move(entries_.back());
        by_key_.find(entries_[at]->key)->second = at;
    }
    entries_.pop_back();
}

BodyCache::Usage BodyCache::usage() const {
    const std::lock_guard lock{mutex_};
    return {entries_.size(), bytes_, evicted_};
}

}  // namespace weir::compress
