#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "site/listing/folder.h"
#include "site/listing/folder_source.h"

namespace weir::site {

/// Reads and sorts a folder in pieces of about a millisecond, because an event loop serves no other
/// connection meanwhile. Each piece of names is sorted when it is read. After the last piece, all
/// pieces are merged.
class FolderReader {
   public:
    struct Choice {
        ListingOrder order{};
        bool dotfiles = false;
        std::size_t names_max = 1'000'000;
        std::size_t names_per_piece = 1024;
    };

    FolderReader(std::unique_ptr<FolderSource> source, Choice choice)
        : source_{std::move(source)}, choice_{choice}, folder_{choice.order} {}

    /// Does one piece of the work. Returns true when all is done.
    std::expected<bool, std::error_code> advance();
    const FolderSource& source() const noexcept { return *source_; }
    /// The memory of the names so far.
    std::size_t bytes() const noexcept {
        return folder_.bytes() + merged_.capacity() * sizeof(Folder::Entry) +
               runs_.capacity() * sizeof(Run);
    }
    /// The result; valid after advance() has returned true.
    Folder take() noexcept { return std::move(folder_); }

   private:
    /// A sorted part of the entries.
    struct Run {
        std::size_t next;
        std::size_t end;
    };

    std::expected<void, std::error_code> read_piece();
    /// False if there is no further name to read.
    std::expected<bool, std::error_code> read_name();
    std::expected<void, std::error_code> add(const FolderItem& item);
    void note_readme(std::string_view name);
    bool begin_merge();
    bool merge_piece();
    bool is_after(const Run& left, const Run& right) const noexcept;

    std::unique_ptr<FolderSource> source_;
    Choice choice_;
    Folder folder_;
    std::vector<Run> runs_{};  // a heap while they are merged
    std::vector<Folder::Entry> merged_{};
    bool is_read_ = false;
};

}  // namespace weir::site
