#include "upload/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

#include "base/last_error.h"
#include "base/readable_size.h"
#include "http/answer/content_coding.h"
#include "site/path/paths.h"
#include "upload/faults.h"
#include "upload/room.h"

namespace weir::upload {
namespace {

using http::Status;
using web::Refusal;

site::FileTime wall_clock() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME_COARSE, &now);  // the clock of file times
    return {now.tv_sec, now.tv_nsec};
}

void take(Begun& begun) {
    for (net::FileShare& share : begun.shares)
        if (!share.take()) throw refusal_of(EMFILE);
}

/// Makes the name survive a power cut. Not every file system can do this; without it, the file
/// exists.
void sync_folder(int folder) noexcept {
    const net::UniqueFd readable{::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (readable) ::fsync(readable.get());
}

std::string in_words(const std::string& folder) { return "the folder '/" + folder + "'"; }

}  // namespace

Store::Store(const site::Options& site, const Options& options, SharedMutex mutex)
    : site_{site},
      file_bytes_max_{options.file_bytes_max},
      quota_bytes_{options.quota_bytes},
      overwrites_{options.overwrites},
      names_{site, options.folders},
      tags_{site.tags_from},
      manifest_{{.file = site.tags_manifest.file}},  // the site tells of wrong lines
      mutex_{std::move(mutex)} {
    for (const std::string& folder : options.folders)
        paths_.push_back(folder.empty() ? site.root : site::joined(site.root, folder));
    std::ranges::sort(paths_);
    const auto twice = std::ranges::unique(paths_);
    paths_.erase(twice.begin(), twice.end());
}

std::expected<std::unique_ptr<Store>, std::string> Store::open(const site::Options& site,
                                                               const Options& options) {
    if (!site.file.empty()) return std::unexpected{"a site of one file takes no others"};
    if (options.folders.empty()) return std::unexpected{"no folder is named"};
    auto mutex = SharedMutex::make();
    if (!mutex) return std::unexpected{std::move(mutex.error())};
    std::unique_ptr<Store> store{new Store{site, options, std::move(*mutex)}};
    for (const std::string& folder : options.folders)
        if (auto why = store->why_not_into(folder); !why.empty())
            return std::unexpected{std::move(why)};
    return store;
}

/// The reason why files cannot be put into the folder; empty if they can.
std::string Store::why_not_into(const std::string& folder) const {
    const auto root = site::RootDirectory::open(site_.root, site_.symlinks);
    if (!root) return "cannot open '" + site_.root + "': " + root.error().message();
    const auto found = root->find_directory(folder);
    if (!found)
        return in_words(folder) + " cannot be used: " + found.error().message() +
               " (it must lie in the root, and no link may lead to it)";
    if (names_.refusal_of({.folder = folder, .name = "x"}))
        return in_words(folder) + " is hidden, so nothing can be put there";
    if (::faccessat(found->get(), ".", W_OK | X_OK, AT_EACCESS) != 0)
        return in_words(folder) + " cannot be written to: " + last_error().message();
    return {};
}

/// Opens the root for each file, because another folder may have replaced it.
Store::Root Store::open_root() const {
    auto root = site::RootDirectory::open(site_.root, site_.symlinks, names_.withheld());
    if (!root) throw refusal_of(EMFILE);
    return std::make_shared<const site::RootDirectory>(std::move(*root));
}

Begun Store::begin(const Target& target, const Conditions& conditions,
                   std::optional<std::uint64_t> size, Root root) {
    if (const auto refusal = names_.refusal_of(target)) throw *refusal;
    Begun begun;
    take(begun);
    begun.root = root ? std::move(root) : open_root();
    auto folder = begun.root->find_directory(target.folder);
    if (!folder) throw refusal_of_folder(folder.error().value());
    begun.folder = std::move(*folder);
    const auto state = site::file_state(begun.folder.get());
    if (!state) throw refusal_of_folder(state.error().value());
    if (names_.withhold(target, *state))
        throw Refusal{Status::forbidden, "Files of this name are not taken here"};
    const auto replaced = look(target, begun, conditions);
    {
        const std::scoped_lock lock{mutex_};
        look_further(target, conditions, -1, replaced.has_value());
    }
    begun.bytes_max = bytes_max_beside(replaced.value_or(0));
    if (size && *size > begun.bytes_max) throw refusal_of_size(begun.bytes_max);
    if (size && *size > bytes_free(begun.folder.get())) throw refusal_of(ENOSPC);
    begun.file = NewFile::in(begun.folder.get());
    return begun;
}

/// The size of the file that would be replaced; null if there is none.
std::optional<std::uint64_t> Store::look(const Target& target, const Begun& begun,
                                         const Conditions& conditions) {
    const int folder = begun.folder.get();
    const auto check = [&conditions](const Conditions::File* file) {
        if (!conditions.hold_for(file))
            throw Refusal{Status::precondition_failed,
                          file ? "The file of this name is not the one that was meant"
                               : "There is no file of this name"};
    };
    struct stat status{};
    if (::fstatat(folder, target.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno != ENOENT) throw refusal_of(errno);
        check(nullptr);
        if (!overwrites_ && !conditions.let_it_replace() && stands_for_another(target, folder))
            throw Refusal{Status::conflict, "It would be sent in place of a file that is there"};
        return std::nullopt;
    }
    const auto state = site::FileState::from(status);
    if (state.kind == site::FileKind::regular && names_.withhold(state))
        throw Refusal{Status::forbidden, "Files of this name are not taken here"};
    const Conditions::File file{.entity_tag = [&] { return tag_of(target, *begun.root); },
                                .modified = state.modified.seconds};
    check(&file);
    if (state.kind != site::FileKind::regular)
        throw Refusal{Status::conflict, "This is the name of a folder or a link"};
    if (!overwrites_ && !conditions.let_it_replace()) throw refusal_of(EEXIST);
    return state.size;
}

void Store::look_further(const Target& target, const Conditions& conditions, int file,
                         bool replaces) const {
    const FurtherLook& look = conditions.further() ? conditions.further() : further_;
    if (look)
        look(
            {.path = site::joined(target.folder, target.name), .file = file, .replaces = replaces});
}

/// True for app.js.gz beside app.js, for example: the site sends it for app.js.
bool Store::stands_for_another(const Target& target, int folder) const {
    if (!site_.precompressed || site::is_within_any(target.folder, site_.precompressed_not_in))
        return false;
    return std::ranges::any_of(http::content_codings, [&](const http::CodingNames& names) {
        if (!target.name.ends_with(names.suffix)) return false;
        const auto original = target.name.substr(0, target.name.size() - names.suffix.size());
        struct stat status{};
        return ::fstatat(folder, original.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
               !S_ISDIR(status.st_mode);
    });
}

std::string Store::tag_of(const Target& target, const site::RootDirectory& root) {
    const std::string path = site::joined(target.folder, target.name);
    const auto opened = root.open_file(path);
    if (!opened) return {};
    const auto manifest = opened->state.size > site::EntityTags::hashed_bytes_max
                              ? manifest_.read_for(path, opened->state, root, wall_clock())
                              : nullptr;
    return tags_.tag_of(
        {.path = path, .state = opened->state, .fd = opened->fd.get(), .manifest = manifest.get()},
        wall_clock());
}

/// The limit of a new file that replaces one of `replaced` bytes.
std::uint64_t Store::bytes_max_beside(std::uint64_t replaced) const {
    if (quota_bytes_ == 0) return file_bytes_max_;
    const std::uint64_t used = bytes_in(paths_);
    const std::uint64_t stays = used > replaced ? used - replaced : 0;
    return std::min(file_bytes_max_, quota_bytes_ > stays ? quota_bytes_ - stays : 0);
}

Put Store::finish(Begun& begun, const Target& target, const Conditions& conditions,
                  std::uint64_t size) {
    begun.file.sync();
    std::optional<std::uint64_t> replaced;
    {
        const std::scoped_lock lock{mutex_};
        replaced = look(target, begun, conditions);
        const auto bytes_max = bytes_max_beside(replaced.value_or(0));
        if (size > bytes_max) throw refusal_of_size(bytes_max);
        look_further(target, conditions, begun.file.descriptor(), replaced.has_value());
        begun.file.publish(target.name, replaced.has_value());
    }
    sync_folder(begun.folder.get());
    return replaced ? Put::replaced : Put::made;
}

Refusal Store::refusal_of_size(std::uint64_t bytes_max) const {
    if (bytes_max < file_bytes_max_)
        return {Status::insufficient_storage, "The server has no room for this file"};
    return {Status::content_too_large,
            "A file may have " + readable_size(file_bytes_max_) + " at most"};
}

}  // namespace weir::upload
