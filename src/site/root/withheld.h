#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "site/root/file_state.h"

namespace weir::site {

/// Files that are never served under any name (logs, keys), and names that are hidden. Each file is
/// looked up by its path again for each check, because a log is renamed and made again. A file
/// beside it whose name begins with its name is withheld, too: "access.log.1". A path that ends
/// with a slash means all files of a folder. Thread-safe.
class Withheld {
   public:
    /// `hidden`: see Options.
    explicit Withheld(const std::vector<std::string>& paths,
                      const std::vector<std::string>& hidden = {});

    /// True if a pattern hides the path, which is relative to the root.
    bool hides(std::string_view path) const;
    /// Fails if a path cannot be looked up now: the file may be a log.
    std::expected<bool, std::error_code> has(const FileState& file) const noexcept;
    /// True if a file with this name is withheld in some folder: then has_beside() decides.
    bool may_have(std::string_view name) const noexcept;
    /// Fails as has() does.
    std::expected<bool, std::error_code> has_beside(std::string_view name,
                                                    const FileState& folder) const noexcept;

   private:
    /// The file at a path; 0 if there is none.
    struct Identity {
        std::uint64_t device = 0, inode = 0;
        bool operator==(const Identity&) const = default;
    };
    struct Each {
        std::string path;
        std::string folder;
        std::string name;
        Identity seen;  // at first: a process without privileges may not see the path later
    };
    using Looked = std::expected<Identity, std::error_code>;
    static Looked identity_of(const std::string& path) noexcept;

    std::vector<Each> all_;
    std::vector<std::string> hidden_;  // see tree_pattern()
};

}  // namespace weir::site
