#include "site/listing/folder_source.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/troubles.h"
#include "net/descriptors.h"
#include "site/path/paths.h"

namespace weir::site {

namespace {

struct CloseDirectory {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};
using Stream = std::unique_ptr<DIR, CloseDirectory>;

FolderItem::Kind kind_of(const dirent& item) noexcept {
    switch (item.d_type) {
        case DT_DIR: return FolderItem::Kind::directory;
        case DT_REG: return FolderItem::Kind::file;
        case DT_LNK:
        case DT_UNKNOWN: return FolderItem::Kind::unknown;
        default: return FolderItem::Kind::other;
    }
}

class DirectorySource final : public FolderSource {
   public:
    DirectorySource(Stream stream, net::FileShare share, std::shared_ptr<const RootDirectory> root,
                    std::string directory)
        : share_{std::move(share)},
          stream_{std::move(stream)},
          root_{std::move(root)},
          directory_{std::move(directory)} {}

    std::expected<std::optional<FolderItem>, std::error_code> next() override {
        const dirent* item = nullptr;
        do {
            errno = 0;
            // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread has this stream
            item = ::readdir(stream_.get());
        } while (item != nullptr && root_->hides(joined(directory_, item->d_name)));
        if (item != nullptr) return FolderItem{.name = item->d_name, .kind = kind_of(*item)};
        if (errno != 0) return std::unexpected{std::error_code{errno, std::system_category()}};
        return std::nullopt;
    }
    /// Only a link can lead a name without a slash out of the directory. So one system call is
    /// enough for other names, in place of the three of look_at_entry().
    std::expected<std::optional<FileState>, std::error_code> look(std::string_view name) override {
        struct stat status;
        const std::string text{name};
        if (::fstatat(::dirfd(stream_.get()), text.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISLNK(status.st_mode))
            return look_at_entry(*root_, joined(directory_, name));
        const FileState state = FileState::from(status);
        if (state.kind == FileKind::other) return std::nullopt;
        return state;
    }
    std::expected<FileState, std::error_code> state() const override {
        return file_state(::dirfd(stream_.get()));
    }

   private:
    net::FileShare share_;
    Stream stream_;
    std::shared_ptr<const RootDirectory> root_;
    std::string directory_;
};

}  // namespace

std::expected<std::optional<FileState>, std::error_code> look_at_entry(const RootDirectory& root,
                                                                       const std::string& path) {
    const auto found = root.look(path);
    if (!found) {
        if (!is_fact(found.error().error)) return std::unexpected{found.error().error};
        return std::nullopt;
    }
    if (found->state.kind == FileKind::other) return std::nullopt;
    return found->state;
}

std::expected<std::unique_ptr<FolderSource>, std::error_code> open_folder(
    std::shared_ptr<const RootDirectory> root, const std::string& directory) {
    net::FileShare share;
    if (!share.take()) {
        troubles().note(Trouble::descriptors);
        return std::unexpected{std::make_error_code(std::errc::too_many_files_open)};
    }
    auto fd = root->open_directory(directory);
    if (!fd) return std::unexpected{fd.error()};
    Stream stream{::fdopendir(fd->get())};
    if (!stream) return std::unexpected{std::error_code{errno, std::system_category()}};
    (void)fd->release();  // the stream owns the descriptor
    return std::make_unique<DirectorySource>(std::move(stream), std::move(share), std::move(root),
                                             directory);
}

}  // namespace weir::site
