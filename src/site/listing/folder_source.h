#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "site/root/root_directory.h"

namespace weir::site {

/// An entry as its directory describes it, without a system call for the entry itself.
struct FolderItem {
    enum class Kind : std::uint8_t { directory, file, other, unknown };

    std::string_view name;  // valid until the next call of next()
    Kind kind = Kind::unknown;
};

/// Gives the entries of a directory one after the other, unsorted.
class FolderSource {
   public:
    virtual ~FolderSource() = default;
    /// Null at the end.
    virtual std::expected<std::optional<FolderItem>, std::error_code> next() = 0;
    /// The state of an entry; null if a client cannot fetch it.
    virtual std::expected<std::optional<FileState>, std::error_code> look(
        std::string_view name) = 0;
    /// The state of the directory.
    virtual std::expected<FileState, std::error_code> state() const = 0;
    /// True if the source ended early, so that there may be more names.
    virtual bool is_cut() const noexcept { return false; }
};

/// The state of the entry at `path`; null if a client cannot fetch it.
std::expected<std::optional<FileState>, std::error_code> look_at_entry(const RootDirectory& root,
                                                                       const std::string& path);

/// Opens a directory below `root`. The result keeps `root` alive.
std::expected<std::unique_ptr<FolderSource>, std::error_code> open_folder(
    std::shared_ptr<const RootDirectory> root, const std::string& directory);

}  // namespace weir::site
