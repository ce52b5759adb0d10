#pragma once

#include <optional>
#include <string>
#include <vector>

#include "archive/archive_format.h"
#include "site/files/root_directory.h"
#include "site/listing/listing.h"

namespace weir::archive {

/// Goes through a folder and all that it contains, sorted by name, a folder before its content. It
/// sees what a listing shows, and does not follow links to folders: they could lead in a circle.
class Walk {
   public:
    /// Of one folder. A folder with more has no archive: a part of it would look like the whole.
    static constexpr std::size_t entries_max = 100'000;
    static constexpr std::size_t depth_max = 100;

    /// `root` must outlive it. `folder` is relative to it; `name` is what the archive calls the folder.
    Walk(const site::RootDirectory& root, std::string folder, std::string name, bool dotfiles);

    struct Found {
        Member member;
        std::string path;  // relative to the root
    };
    /// Nothing at the end. The error says that a folder could not be read whole.
    std::expected<std::optional<Found>, std::error_code> next();

   private:
    struct Level {
        std::string path;
        std::string name;  // in the archive, with a slash at the end
        std::vector<site::ListingEntry> entries;
        std::size_t at = 0;
    };
    std::error_code enter(std::string path, std::string name);
    bool may_enter(const std::string& path) const;

    const site::RootDirectory& root_;
    const bool dotfiles_;
    std::vector<Level> levels_;
    std::optional<Found> first_;  // the folder itself, until it was given
};

}  // namespace weir::archive
