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

/// What a directory says of an entry without a look at it.
struct FolderItem {
    enum class Kind : std::uint8_t { directory, file, other, unknown };

    std::string_view name;  // until the next one
    Kind kind = Kind::unknown;
};

/// Gives the entries of a directory one after the other, as they come.
class FolderSource {
   public:
    virtual ~FolderSource() = default;
    /// Nothing at the end.
    virtual std::expected<std::optional<FolderItem>, std::error_code> next() = 0;
    /// Nothing if there is nothing that a client can fetch.
    virtual std::expected<std::optional<FileState>, std::error_code> look(
        std::string_view name) = 0;
    /// The state of the directory.
    virtual std::expected<FileState, std::error_code> state() const = 0;
    /// There may be more names than it has given.
    virtual bool is_cut() const noexcept { return false; }
};

/// Nothing if a client cannot fetch what is at `path`.
std::expected<std::optional<FileState>, std::error_code> look_at_entry(const RootDirectory& root,
                                                                       const std::string& path);

/// Opens a directory below `root`, which it keeps.
std::expected<std::unique_ptr<FolderSource>, std::error_code> open_folder(
    std::shared_ptr<const RootDirectory> root, const std::string& directory);

}  // namespace weir::site
