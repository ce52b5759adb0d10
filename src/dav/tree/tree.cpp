#include "dav/tree/tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "site/listing/folder_source.h"
#include "site/path/paths.h"
#include "upload/faults.h"

namespace weir::dav {
namespace {

using upload::refusal_of;
using upload::refusal_of_folder;
using web::Refusal;

/// The owner may write, and all may read as far as the umask allows.
constexpr mode_t folder_mode = 0755;

std::shared_ptr<const site::RootDirectory> opened(const Desk& desk) {
    auto root = site::RootDirectory::open(desk.site.root, site::Symlinks::none, desk.withheld);
    if (!root) throw refusal_of_folder(root.error().value());
    return std::make_shared<const site::RootDirectory>(std::move(*root));
}

}  // namespace

Tree::Tree(const Desk& desk, std::function<bool(const std::string& path)> leaves_out)
    : desk_{desk}, leaves_out_{std::move(leaves_out)}, root_{opened(desk)} {}

bool Tree::bars(const std::string& path) const {
    if (path.empty()) return false;
    return desk_.store->names().refusal_of(target_of(path)) || (leaves_out_ && leaves_out_(path));
}

Tree::Seen Tree::look(const std::string& path) const {
    if (bars(path)) return {.kind = Kind::barred};
    const auto found = root_->look(path);
    if (!found) {
        const int error = found.error().error.value();
        if (error == ENOENT || error == ENOTDIR) return {};
        if (site::is_fact(found.error().error)) return {.kind = Kind::barred};
        throw refusal_of(error);
    }
    switch (found->state.kind) {
        case site::FileKind::regular: return {.kind = Kind::file, .state = found->state};
        case site::FileKind::directory: return {.kind = Kind::folder, .state = found->state};
        case site::FileKind::other: break;
    }
    return {.kind = Kind::barred};
}

Tree::Entries Tree::members(const std::string& folder) const {
    Entries entries;
    read_into(entries, folder, members_max);
    return entries;
}

/// Each folder that is found is read in turn, so the depth needs no stack.
Tree::Entries Tree::all_below(const std::string& folder) const {
    Entries entries;
    read_into(entries, folder, entries_max);
    for (std::size_t i = 0; i < entries.all.size(); ++i)
        if (entries.all[i].is_folder())
            read_into(entries, std::string{entries.all[i].path}, entries_max);
    return entries;
}

/// A name that is there and is not seen is barred: a withheld file, too.
void Tree::read_into(Entries& entries, const std::string& folder, std::size_t max) const {
    const auto source = site::open_folder(root_, folder);
    if (!source) throw refusal_of_folder(source.error().value());
    while (true) {
        const auto item = (*source)->next();
        if (!item) throw refusal_of(item.error().value());
        if (!*item) return;
        if ((*item)->name == "." || (*item)->name == "..") continue;
        std::string path = site::joined(folder, (*item)->name);
        const Seen seen = look(path);
        if (!seen.is_there()) {
            entries.has_barred = true;
            continue;
        }
        if (entries.all.size() == max)
            throw Refusal{http::Status::insufficient_storage,
                          "The folder has more than " + std::to_string(max) + " files"};
        entries.all.push_back({.path = std::move(path), .state = seen.state});
    }
}

net::UniqueFd Tree::open(const std::string& path, bool is_folder) const {
    if (is_folder) {
        auto fd = root_->open_directory(path);
        if (!fd) throw refusal_of_folder(fd.error().value());
        return std::move(*fd);
    }
    auto opened = root_->open_file(path);
    if (!opened) throw refusal_of_folder(opened.error().value());
    return std::move(opened->fd);
}

Tree::Parent Tree::parent_of(const std::string& path) const {
    auto target = target_of(path);
    auto fd = root_->find_directory(target.folder);
    if (!fd) throw refusal_of_folder(fd.error().value());
    return {.fd = std::move(*fd), .name = std::move(target.name)};
}

/// Names that are withheld beside a log are not given, as in upload::Store: a folder of such a name
/// would keep the log from being renamed.
int Tree::refuse_withheld(const std::string& path, const Parent& parent) const {
    const auto state = site::file_state(parent.fd.get());
    if (!state) return state.error().value();
    return desk_.store->names().withhold(target_of(path), *state) ? EACCES : 0;
}

int Tree::make_folder(const std::string& path) const {
    const Parent parent = parent_of(path);
    if (const int error = refuse_withheld(path, parent)) return error;
    return ::mkdirat(parent.fd.get(), parent.name.c_str(), folder_mode) == 0 ? 0 : errno;
}

int Tree::remove(const std::string& path, bool is_folder) const {
    const Parent parent = parent_of(path);
    const int flags = is_folder ? AT_REMOVEDIR : 0;
    return ::unlinkat(parent.fd.get(), parent.name.c_str(), flags) == 0 ? 0 : errno;
}

int Tree::move(const std::string& from, const std::string& to, bool replaces) const {
    const Parent source = parent_of(from);
    const Parent target = parent_of(to);
    if (const int error = refuse_withheld(to, target)) return error;
    const unsigned flags = replaces ? 0 : RENAME_NOREPLACE;
    return ::syscall(SYS_renameat2, source.fd.get(), source.name.c_str(), target.fd.get(),
                     target.name.c_str(), flags) == 0
               ? 0
               : errno;
}

void Tree::sync_folder_of(const std::string& path) const {
    const auto fd = root_->open_directory(std::string{site::parent_of(path)});
    if (fd) ::fsync(fd->get());
}

}  // namespace weir::dav
