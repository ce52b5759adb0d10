#pragma once

#include <string>
#include <vector>

#include "dav/methods/visit.h"

namespace weir::dav {

/// The removal of a file, or of a folder with all that it has.
class Removal {
   public:
    /// Throws web::Refusal if it may not be removed: see Visit::need_removable(). Needs no mutex.
    Removal(const Visit& visit, std::string path, const Tree::Seen& seen);

    /// Removes what it can, and returns what has failed; a folder that is not empty because of that
    /// is not among it (RFC 4918 9.6.1). Locks of what is removed end. Takes the mutex for each
    /// file. Throws web::Refusal if it is the file itself that has failed.
    std::vector<Failure> run();

    const Tree::Entries& below() const noexcept { return below_; }

   private:
    bool remove(const std::string& path, bool is_folder);

    const Visit& visit_;
    const std::string path_;
    const bool is_folder_;
    const Tree::Entries below_;
    std::vector<Failure> failures_;
};

/// Throws web::Refusal unless a file or folder may get this path: 403 for names that are not taken,
/// 405 for one that is, 409 if its folder is not there.
void need_free_name(const Visit& visit, const std::string& path);
/// The same for a path that may be taken.
void need_name(const Visit& visit, const std::string& path);

}  // namespace weir::dav
