#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "access/request/request_path.h"
#include "weir/site/site.h"

namespace weir::access {

/// The files of a folder that a client may not have although it may ask for the folder. For
/// responses with more than the folder itself: an archive of it, for example.
class Beneath {
   public:
    using Globs = std::vector<std::string>;

    /// `kinds`: the globs of each handler that chooses one of its rules for a path. `alone`: the
    /// globs of rules that open one path only, as a signed link does.
    Beneath(const site::Options& site, const std::vector<Globs>& kinds, const Globs& alone);

    /// True if rules apply to the path, unless a handler chose among these same rules when the
    /// client asked for the folder. Another rule may have let the client in there.
    bool keeps_back(const site::Candidate& one) const;
    /// True if no rule applies to any file.
    bool keeps_nothing() const noexcept { return kinds_.empty() && alone_.empty(); }

   private:
    using Names = std::vector<std::string>;

    Names names_of(std::string_view served, std::string_view asked) const;

    Addresses addresses_;
    std::vector<std::vector<Paths>> kinds_;
    std::vector<Paths> alone_;
};

}  // namespace weir::access
