#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dav/methods/removal.h"
#include "dav/methods/visit.h"

namespace weir::dav {

/// Where a COPY or a MOVE leads (RFC 4918 9.8.3, 9.9.3).
class DestinationOf {
   public:
    /// Throws web::Refusal if nothing may be put there: 502 for another host, 412 for a name that
    /// is taken if Overwrite is F.
    explicit DestinationOf(const Visit& visit);

    const std::string& path() const noexcept { return path_; }
    bool is_taken() const noexcept { return seen_.is_there(); }

    /// The path that a member of the source gets.
    std::string path_for(std::string_view member) const;
    /// The reason why a member may not have that path; null if it may.
    std::optional<web::Refusal> refusal_for(const std::string& member) const;

    /// The locks below that the request may not pass; throws Locked for one of the path itself.
    /// Needs the mutex.
    std::vector<Failure> locked() const;
    /// Removes what is there, unless a file takes the place of a file. Returns what has failed.
    std::vector<Failure> make_room();

   private:
    const Visit& visit_;
    const std::string path_;
    const std::function<bool(const std::string&)> kept_back_;
    const Tree::Seen seen_;
    std::optional<Removal> removal_;
};

}  // namespace weir::dav
