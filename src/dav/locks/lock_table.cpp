#include "dav/locks/lock_table.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/last_error.h"
#include "base/random_boundary.h"
#include "site/path/paths.h"

namespace weir::dav {
namespace {

constexpr std::size_t token_bytes_max = 64;

/// A text of limited size, in place.
template <std::size_t max>
struct Text {
    std::uint32_t size;
    std::array<char, max> bytes;

    std::string_view view() const noexcept { return {bytes.data(), size < max ? size : max}; }
    void set(std::string_view text) noexcept {
        std::memcpy(bytes.data(), text.data(), text.size());
        size = static_cast<std::uint32_t>(text.size());
    }
};

}  // namespace

/// Zeroed memory is a free slot. Of a process that dies while it writes one, only `end` could make
/// the slot a lock, and it is written last.
struct LockTable::Slot {
    std::int64_t end;  // of Instant; 0: free
    bool is_exclusive;
    bool is_infinite;
    bool is_folder;
    Text<token_bytes_max> token;
    Text<user_bytes_max> user;
    Text<path_bytes_max> path;
    Text<owner_bytes_max> owner;

    void set_end(std::int64_t count) noexcept {
        std::atomic_ref{end}.store(count, std::memory_order_seq_cst);  // not before other members
    }
    bool is_free(Instant now) const noexcept { return end <= now.time_since_epoch().count(); }
    bool covers(std::string_view other) const noexcept {
        return is_infinite ? site::is_within(other, path.view()) : other == path.view();
    }
    Lock lock(Instant now) const {
        const Instant over{Instant::duration{end}};
        return {.token = std::string{token.view()},
                .path = std::string{path.view()},
                .owner = std::string{owner.view()},
                .user = std::string{user.view()},
                .is_exclusive = is_exclusive,
                .is_infinite = is_infinite,
                .is_folder = is_folder,
                .time = std::chrono::ceil<std::chrono::seconds>(over - now)};
    }
};

/// Comes before the slots. Slots that were never used are not looked at, so they take no memory.
struct LockTable::Head {
    alignas(alignof(std::max_align_t)) std::uint32_t slots_used;  // ever
};

std::string new_lock_token() {
    std::string digits = random_boundary();
    digits[12] = '4';                     // the version
    digits[16] = "89ab"[digits[16] % 4];  // the variant
    for (const std::size_t hyphen : {8u, 13u, 18u, 23u}) digits.insert(hyphen, "-");
    return "urn:uuid:" + digits;
}

std::expected<LockTable, std::string> LockTable::make() {
    auto mapping = net::Mapping::among_forks(sizeof(Head) + locks_max * sizeof(Slot));
    if (!mapping)
        return std::unexpected{"no memory for the locks of all processes: " +
                               last_error().message()};
    return LockTable{std::move(mapping)};
}

LockTable::Slot& LockTable::slot(std::size_t index) const noexcept {
    return *mapping_.at<Slot>(sizeof(Head) + index * sizeof(Slot));
}

std::size_t LockTable::slots_used() const noexcept {
    return std::min<std::size_t>(mapping_.at<Head>(0)->slots_used, locks_max);
}

LockTable::Slot* LockTable::free_slot(Instant now) noexcept {
    const std::size_t used = slots_used();
    for (std::size_t i = 0; i < used; ++i)
        if (slot(i).is_free(now)) return &slot(i);
    if (used == locks_max) return nullptr;
    ++mapping_.at<Head>(0)->slots_used;
    return &slot(used);
}

bool LockTable::add(const Lock& lock, Instant now) {
    if (lock.token.size() > token_bytes_max || lock.path.size() > path_bytes_max ||
        lock.owner.size() > owner_bytes_max || lock.user.size() > user_bytes_max)
        return false;
    Slot* const free = free_slot(now);
    if (!free) return false;
    free->set_end(0);
    free->is_exclusive = lock.is_exclusive;
    free->is_infinite = lock.is_infinite;
    free->is_folder = lock.is_folder;
    free->token.set(lock.token);
    free->user.set(lock.user);
    free->path.set(lock.path);
    free->owner.set(lock.owner);
    free->set_end((now + lock.time).time_since_epoch().count());
    return true;
}

template <typename Choose>
std::vector<Lock> LockTable::chosen(Instant now, Choose choose) const {
    std::vector<Lock> all;
    for (std::size_t i = 0; i < slots_used(); ++i)
        if (const Slot& each = slot(i); !each.is_free(now) && choose(each))
            all.push_back(each.lock(now));
    return all;
}

std::vector<Lock> LockTable::covering(std::string_view path, Instant now) const {
    return chosen(now, [path](const Slot& each) { return each.covers(path); });
}

std::vector<Lock> LockTable::below(std::string_view path, Instant now) const {
    return chosen(now, [path](const Slot& each) {
        return each.path.view() != path && site::is_within(each.path.view(), path);
    });
}

LockTable::Slot* LockTable::slot_of(std::string_view token) const noexcept {
    for (std::size_t i = 0; i < slots_used(); ++i)
        if (Slot& each = slot(i); each.end != 0 && each.token.view() == token) return &each;
    return nullptr;
}

std::optional<Lock> LockTable::find(std::string_view token, std::string_view path,
                                    Instant now) const {
    const Slot* const found = slot_of(token);
    if (!found || found->is_free(now) || !found->covers(path)) return std::nullopt;
    return found->lock(now);
}

void LockTable::refresh(std::string_view token, std::chrono::seconds time, Instant now) {
    Slot* const found = slot_of(token);
    if (!found || found->is_free(now)) return;
    found->set_end((now + time).time_since_epoch().count());
}

void LockTable::remove(std::string_view token) {
    if (Slot* const found = slot_of(token)) found->set_end(0);
}

void LockTable::remove_within(std::string_view path) {
    for (std::size_t i = 0; i < slots_used(); ++i)
        if (Slot& each = slot(i); each.end != 0 && site::is_within(each.path.view(), path))
            each.set_end(0);
}

}  // namespace weir::dav
