#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "dav/methods/asked.h"
#include "dav/methods/responses.h"
#include "dav/tree/tree.h"
#include "net/clock.h"

namespace weir::dav {

/// A request at work on a helper thread, with the files that it sees and its right to change them.
class Visit {
   public:
    /// Both must outlive this object. Throws web::Refusal.
    Visit(Desk& desk, const Asked& asked);

    Desk& desk() const noexcept { return desk_; }
    const Asked& asked() const noexcept { return asked_; }
    const Tree& tree() const noexcept { return tree_; }
    /// The state of the request's path.
    const Tree::Seen& seen() const noexcept { return seen_; }

    static Instant now() noexcept { return net::read_clock().instant; }
    /// Of the locks; needs the mutex.
    Rights rights() const noexcept { return {desk_.locks, asked_.holder, now()}; }
    [[nodiscard]] std::unique_lock<upload::SharedMutex> lock() const {
        return std::unique_lock{desk_.store->mutex()};
    }

    /// Throws web::Refusal with 404 if there is nothing.
    void need_something() const;
    /// Throws web::Refusal if no lock can be here: 403 for a name that is barred, 409 for a folder
    /// that is not there.
    void need_lockable() const;
    /// Throws web::Refusal with 412 unless If (RFC 4918 10.4) and the conditions of RFC 9110 hold.
    /// Needs the mutex.
    void need_conditions() const;
    /// Throws web::Refusal with 403 for a folder that stays, and for one that has something that
    /// may not be seen. `below`: all that it has.
    void need_removable(const std::string& path, const Tree::Entries& below) const;
    /// The members below whose locks the request may not pass. Needs the mutex.
    std::vector<Failure> locked_below(const std::string& path) const;

    /// The entity tag of a file; empty for a folder.
    std::string tag_of(const std::string& path, const Tree::Seen& seen) const;

   private:
    bool holds(const std::string& resource, const IfField::Condition& condition) const;

    Desk& desk_;
    const Asked& asked_;
    const Tree tree_;
    const Tree::Seen seen_;
};

}  // namespace weir::dav
