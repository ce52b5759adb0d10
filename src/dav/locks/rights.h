#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dav/locks/lock_table.h"
#include "upload/naming.h"

namespace weir::dav {

/// The right of a request to change what is locked (RFC 4918 7). The members need the mutex of the
/// table. need() and need_as_member() throw Locked, which names the lock.
class Rights {
   public:
    /// The tokens that a request submits, and its user; empty if no name is asked for.
    struct Holder {
        std::vector<std::string> tokens{};
        std::string user{};
    };
    Rights(const LockTable& table, const Holder& holder, Instant now) noexcept
        : table_{table}, holder_{holder}, now_{now} {}

    /// For a change of the content or of the properties.
    void need(std::string_view path) const;
    /// For a file or folder that is made or removed: its folder changes, too (RFC 4918 7.4).
    void need_as_member(std::string_view path) const;
    /// For a file that is about to get its name.
    void need_for(const upload::Naming& naming) const;
    /// The locks below that the request may not pass.
    std::vector<Lock> missing_below(std::string_view path) const;

   private:
    bool hold(const Lock& lock) const;

    const LockTable& table_;
    const Holder& holder_;
    const Instant now_;
};

/// The locks that do not allow another one at the path (RFC 4918 6.2, 9.10.5).
std::vector<Lock> conflicting(const LockTable& table, const Lock& wanted, Instant now);

}  // namespace weir::dav
