#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "site/listing/folder_source.h"
#include "site/search/walk.h"
#include "site/search/words.h"

namespace weir::site {

/// The results of a search in a folder and below, as if they were in one folder: each name is the
/// path from there. Each call of next() examines one name of the tree. If the name does not match,
/// the item has the kind `other`.
class FoundNames final : public FolderSource {
   public:
    /// A search ends after this number of names, and reports that there may be more.
    static constexpr std::size_t names_max = 1'000'000;

    /// `folder` is relative to the root.
    FoundNames(std::shared_ptr<const RootDirectory> root, std::string folder, Walk::Choice choice,
               Words words)
        : root_{std::move(root)},
          folder_{std::move(folder)},
          walk_{root_, folder_, std::move(choice)},
          words_{std::move(words)} {}

    std::expected<std::optional<FolderItem>, std::error_code> next() override;
    std::expected<std::optional<FileState>, std::error_code> look(std::string_view name) override;
    std::expected<FileState, std::error_code> state() const override;
    bool is_cut() const noexcept override { return is_cut_; }

   private:
    std::expected<std::optional<FolderItem>, std::error_code> end_early();

    std::shared_ptr<const RootDirectory> root_;
    std::string folder_;
    Walk walk_;
    Words words_;
    Walk::Found found_;
    std::size_t names_ = 0;
    bool is_cut_ = false;
};

}  // namespace weir::site
