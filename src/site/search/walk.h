#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "site/listing/folder_source.h"
#include "site/root/root_directory.h"
#include "weir/site/site.h"

namespace weir::site {

/// Visits all entries of a folder, and of the folders below, that a client can fetch. The walk does
/// not enter links to folders, since they could lead in a circle. It has a folder open for each
/// level.
class Walk {
   public:
    static constexpr std::size_t depth_max = 100;

    struct Choice {
        bool dotfiles = false;
        /// True for a path that is left out; may be null.
        std::function<bool(std::string_view path)> leaves_out{};
    };
    /// The entries that a client may have, if it asked for the path `asked` and gets `folder`.
    /// `options` must outlive the result.
    static Choice choice_of(const Options& options, std::string folder, std::string asked);

    /// `folder` is relative to the root.
    Walk(std::shared_ptr<const RootDirectory> root, std::string folder, Choice choice);

    enum class Kind : std::uint8_t { file, folder, link_to_folder };
    struct Found {
        std::string path;  // relative to the root
        Kind kind = Kind::file;
    };
    enum class Step : std::uint8_t { found, nothing, end };
    /// Advances by one name. `found` is valid only after Step::found. A folder comes before its
    /// content. The error says that the system failed, or that a folder is too deep
    /// (errc::filename_too_long): the next call skips that folder.
    std::expected<Step, std::error_code> next(Found& found);

   private:
    struct Level {
        std::string path;
        std::unique_ptr<FolderSource> source;
    };
    std::expected<Step, std::error_code> visit(const FolderItem& item, Found& found);
    std::expected<std::optional<Kind>, std::error_code> kind_of(FolderItem::Kind said,
                                                                const std::string& path) const;
    std::expected<Step, std::error_code> enter(std::string path);
    bool may_have(std::string_view name, const std::string& path) const;

    std::shared_ptr<const RootDirectory> root_;
    Choice choice_;
    std::optional<std::string> first_;  // null after the folder was entered
    std::vector<Level> levels_;
};

}  // namespace weir::site
