#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "access/request/request_path.h"
#include "weir/site/site.h"

namespace weir::access {

/// Which files of a folder are kept from one who may ask for the folder, where an answer has more than
/// the folder itself: an archive of it, for example.
class Beneath {
   public:
    using Globs = std::vector<std::string>;

    /// `kinds`: the globs of each handler that chooses among its rules for a path. `alone`: of rules
    /// that let in to one path alone, as a signed link does.
    Beneath(const site::Options& site, const std::vector<Globs>& kinds, const Globs& alone);

    /// True where rules are for the path, and a handler has not chosen among these same rules when the
    /// folder was asked for. Then another rule may have let the client in.
    bool keeps_back(const site::Candidate& one) const;
    /// No rule is for some files.
    bool keeps_nothing() const noexcept { return kinds_.empty() && alone_.empty(); }

   private:
    using Names = std::vector<std::string>;

    Names names_of(std::string_view served, std::string_view asked) const;

    Addresses addresses_;
    std::vector<std::vector<Paths>> kinds_;
    std::vector<Paths> alone_;
};

}  // namespace weir::access
