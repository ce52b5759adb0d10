#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "site/files/root_directory.h"
#include "site/listing/folder_reader.h"
#include "site/listing/listing_desk.h"

namespace weir::site {

/// Finds the names for a listing. A folder of some thousands is read at once; a larger one takes
/// many steps, and waits until no other one is read.
class ListingTask {
   public:
    static std::expected<ListingTask, std::error_code> begin(ListingDesk& desk,
                                                             std::unique_ptr<FolderSource> source,
                                                             FolderReader::Choice choice);

    enum class Progress : std::uint8_t {
        done,
        more,   // another step can follow
        waits,  // another folder is being read
    };
    /// Does what an event loop can do at once.
    std::expected<Progress, std::error_code> start();
    std::expected<Progress, std::error_code> step();
    /// Once it is done.
    const std::shared_ptr<const Folder>& folder() const noexcept { return folder_; }

   private:
    ListingTask(ListingDesk& desk, const FileState& state, FileTime begun_at) noexcept
        : desk_{&desk}, state_{state}, begun_at_{begun_at} {}

    std::expected<Progress, std::error_code> advance();
    std::expected<Progress, std::error_code> finish();

    ListingDesk* desk_;
    FileState state_;  // of the directory
    FileTime begun_at_;
    std::optional<FolderReader> reader_{};
    std::shared_ptr<const Folder> folder_{};
    ListingDesk::Turn turn_{};
};

}  // namespace weir::site
