#include "tls/openssl/asked_names.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

namespace weir::tls {
namespace {

constexpr std::size_t name_bytes_max = 255;  // RFC 1035 2.3.4

struct Name {
    std::array<char, name_bytes_max> bytes{};
    std::uint8_t size = 0;

    std::string_view text() const noexcept { return {bytes.data(), size}; }
    void set(std::string_view text) noexcept {
        size =
            static_cast<std::uint8_t>(std::ranges::copy(text, bytes.begin()).out - bytes.begin());
    }
};

/// Other names would be an attack on the log, or nonsense.
bool is_host_name(std::string_view name) noexcept {
    constexpr auto is_allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '.' || c == '_';
    };
    return !name.empty() && name.size() <= name_bytes_max && std::ranges::all_of(name, is_allowed);
}

/// A lock that does not wait, because a process may have died while it held the lock. If the lock
/// is taken, the caller counts nothing.
class Taken {
   public:
    explicit Taken(std::atomic_flag& flag) noexcept : flag_{flag}, is_ours_{!flag.test_and_set()} {}
    ~Taken() {
        if (is_ours_) flag_.clear();
    }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    explicit operator bool() const noexcept { return is_ours_; }

   private:
    std::atomic_flag& flag_;
    bool is_ours_;
};

}  // namespace

struct AskedNames::Room {
    static constexpr std::uint64_t enough = 3;  // a single client may have mistyped the name
    static constexpr std::int64_t an_hour = 60L * 60;

    struct Entry {
        Name name;
        std::uint64_t count = 0;
        bool is_covered = true;
        bool is_told = false;
    };

    std::atomic_flag is_taken{};
    std::array<Entry, 16> entries{};
    Name told{};
    std::int64_t told_at = 0;
    bool is_waiting = false;  // for take()

    /// Returns the entry of the name. A new name replaces the rarest one.
    Entry& entry_of(std::string_view name) noexcept {
        const auto found =
            std::ranges::find(entries, name, [](const Entry& each) { return each.name.text(); });
        if (found != entries.end()) return *found;
        Entry& rarest = *std::ranges::min_element(entries, {}, &Entry::count);
        rarest.name.set(name);
        rarest.is_told = false;
        return rarest;
    }
    bool is_most_frequent(const Entry& entry) const noexcept {
        return std::ranges::all_of(entries, [&](const Entry& each) {
            return &each == &entry || each.count < entry.count;
        });
    }
};

AskedNames::AskedNames() : memory_{net::Mapping::among_forks(sizeof(Room))} {
    if (memory_) std::construct_at(room());
}

AskedNames::Room* AskedNames::room() const noexcept {
    return memory_ ? memory_.at<Room>(0) : nullptr;
}

bool AskedNames::note(std::string_view name, bool is_covered, std::int64_t unix_seconds) noexcept {
    Room* const room = this->room();
    if (!room || !is_host_name(name)) return false;
    const Taken taken{room->is_taken};
    if (!taken) return false;
    auto& entry = room->entry_of(name);
    entry.is_covered = is_covered;
    ++entry.count;
    if (is_covered || entry.count < Room::enough || entry.is_told ||
        unix_seconds - room->told_at < Room::an_hour || !room->is_most_frequent(entry))
        return false;
    entry.is_told = true;
    room->told.set(name);
    room->told_at = unix_seconds;
    return room->is_waiting = true;
}

std::string AskedNames::take() {
    Room* const room = this->room();
    if (!room) return {};
    for (int tries = 0; tries < 1'000; ++tries) {
        if (const Taken taken{room->is_taken}) {
            const bool is_there = std::exchange(room->is_waiting, false);
            return is_there ? std::string{room->told.text()} : "";
        }
        ::sched_yield();
    }
    return {};
}

}  // namespace weir::tls
