#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dav/locks/lock.h"
#include "net/mapping.h"
#include "weir/base/instant.h"

namespace weir::dav {

/// All locks of a site, in memory that the process shares with those that it forks. Its size is
/// fixed. The caller holds a mutex of all processes; a lock whose time is over is none.
class LockTable {
   public:
    static constexpr std::size_t locks_max = 1000;
    static constexpr std::size_t path_bytes_max = 1024;
    static constexpr std::size_t owner_bytes_max = 1024;
    static constexpr std::size_t user_bytes_max = 128;

    /// The error is a sentence without its full stop.
    static std::expected<LockTable, std::string> make();

    /// False if the table is full, or a text of the lock too long for it.
    bool add(const Lock& lock, Instant now);
    /// The locks whose scope the path is in (RFC 4918 6.1, 7.4).
    std::vector<Lock> covering(std::string_view path, Instant now) const;
    /// The locks whose roots lie below the path.
    std::vector<Lock> below(std::string_view path, Instant now) const;
    /// The lock with the token, if the path is in its scope.
    std::optional<Lock> find(std::string_view token, std::string_view path, Instant now) const;

    void refresh(std::string_view token, std::chrono::seconds time, Instant now);
    void remove(std::string_view token);
    /// Removes the locks of the path and of all below: it was deleted or moved.
    void remove_within(std::string_view path);

   private:
    struct Head;
    struct Slot;

    explicit LockTable(net::Mapping mapping) noexcept : mapping_{std::move(mapping)} {}
    Slot& slot(std::size_t index) const noexcept;
    std::size_t slots_used() const noexcept;
    /// Null if the table is full.
    Slot* free_slot(Instant now) noexcept;
    template <typename Choose>
    std::vector<Lock> chosen(Instant now, Choose choose) const;
    Slot* slot_of(std::string_view token) const noexcept;

    net::Mapping mapping_;
};

}  // namespace weir::dav
