#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "site/listing/folder_reader.h"
#include "site/listing/listing_desk.h"
#include "site/root/root_directory.h"

namespace weir::site {

/// Finds the names for a listing. A folder of some thousand names is read at once. A larger one
/// takes many steps, and its task waits while another large folder is read. A task that waits keeps
/// neither a descriptor nor names of its folder.
class ListingTask {
   public:
    using Opened = std::expected<std::unique_ptr<FolderSource>, std::error_code>;
    using Open = std::function<Opened()>;

    /// If `is_shared`, the desk keeps the folder for other tasks that ask for the same one.
    ListingTask(ListingDesk& desk, Open open, FolderReader::Choice choice, bool is_shared = true)
        : desk_{&desk}, open_{std::move(open)}, choice_{choice}, is_shared_{is_shared} {}

    enum class Progress : std::uint8_t {
        done,
        more,   // another step can follow
        waits,  // another folder is being read
    };
    /// Does as much work as an event loop can do at once.
    std::expected<Progress, std::error_code> start();
    std::expected<Progress, std::error_code> step();
    /// The memory of the names that the task has read. Folders that the desk keeps have a limit of
    /// their own.
    std::size_t bytes() const noexcept { return reader_ ? reader_->bytes() : 0; }
    /// Null until the task is done.
    const std::shared_ptr<const Folder>& folder() const noexcept { return folder_; }

   private:
    /// Opens the folder, and takes its names from the desk if another task read them in the turn
    /// `since` or later.
    std::expected<void, std::error_code> begin(std::uint64_t since);
    std::expected<Progress, std::error_code> advance();
    std::expected<Progress, std::error_code> finish();
    void find_since(std::uint64_t since);

    ListingDesk* desk_;
    Open open_;
    FolderReader::Choice choice_;
    bool is_shared_;
    FileState state_{};  // of the directory
    FileTime begun_at_{};
    std::optional<FolderReader> reader_{};
    std::shared_ptr<const Folder> folder_{};
    std::uint64_t waits_since_ = 0;  // number of a turn; 0: the task has not waited
    ListingDesk::Turn turn_{};
};

}  // namespace weir::site
