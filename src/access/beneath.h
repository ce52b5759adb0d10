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
    /// `globs`: of rules of access. `alone`: of rules that let in to one path alone, as a signed link
    /// does.
    Beneath(const site::Options& site, const std::vector<std::string>& globs,
            const std::vector<std::string>& alone);

    /// True where a rule is for the path, and not for the folder too: whoever got past the rules of the
    /// folder has not been asked by that one. Both are relative to the root, without a slash at their
    /// ends.
    bool keeps_back(std::string_view folder, std::string_view path) const;
    /// No rule is for some files.
    bool keeps_nothing() const noexcept { return rules_.empty() && alone_.empty(); }

   private:
    Addresses addresses_;
    std::vector<Paths> rules_;
    std::vector<Paths> alone_;
};

}  // namespace weir::access
