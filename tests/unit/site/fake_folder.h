#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "site/listing/folder_source.h"

namespace weir::site {

/// A directory of many files without a file system: "file0" and on, in an order that is not theirs.
class FakeFolder final : public FolderSource {
   public:
    explicit FakeFolder(std::size_t count, FileState directory = {}) noexcept
        : count_{count}, directory_{directory} {
        ++open;
    }
    ~FakeFolder() override { --open; }

    static inline int open = 0;  // of them all

    std::expected<std::optional<FolderItem>, std::error_code> next() override {
        if (given_ == count_) return std::nullopt;
        // The step has no factor in common with the counts of the tests: each comes once.
        name_ = "file" + std::to_string(given_++ * 7919 % count_);
        return FolderItem{.name = name_, .kind = FolderItem::Kind::file};
    }
    /// Larger numbers are smaller.
    std::expected<std::optional<FileState>, std::error_code> look(std::string_view name) override {
        const std::uint64_t number = std::stoull(std::string{name.substr(4)});
        return FileState{.kind = FileKind::regular, .size = count_ - number};
    }
    std::expected<FileState, std::error_code> state() const override { return directory_; }

   private:
    std::size_t count_;
    std::size_t given_ = 0;
    std::string name_;
    FileState directory_;
};

}  // namespace weir::site
