#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "site/path/paths.h"
#include "site/root/withheld.h"
#include "weir/site/site.h"
#include "weir/web/refusal.h"

namespace weir::upload {

/// The destination of a file.
struct Target {
    std::string folder;  // relative to the root; empty: the root
    std::string name;
};

/// The folder and the name of a path, which is relative to the root.
inline Target target_of(std::string_view path) {
    return {.folder = std::string{site::parent_of(path)},
            .name = std::string{path.substr(path.rfind('/') + 1)}};
}

/// The names that files may have, and their folders, as far as the text decides. Thread-safe.
class Names {
   public:
    Names(const site::Options& site, std::vector<std::string> folders);

    /// True for a folder that accepts files.
    bool take_in(std::string_view folder) const;
    /// The reason why no file may be put there; null if one may.
    std::optional<web::Refusal> refusal_of(const Target& target) const;

    /// True for a file of the folder that the site never serves under any name. Throws
    /// web::Refusal if that cannot be looked up now.
    bool withhold(const Target& target, const site::FileState& folder) const;
    bool withhold(const site::FileState& file) const;
    const std::shared_ptr<const site::Withheld>& withheld() const noexcept { return withheld_; }

   private:
    const std::vector<std::string> folders_;
    const bool dotfiles_;
    const std::shared_ptr<const site::Withheld> withheld_;
};

}  // namespace weir::upload
