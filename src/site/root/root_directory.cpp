#include "site/root/root_directory.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "base/troubles.h"
#include "net/descriptors.h"

namespace weir::site {

namespace {

std::unexpected<std::error_code> system_error(int number = errno) {
    return std::unexpected{std::error_code{number, std::system_category()}};
}

/// glibc has no wrapper for openat2(2).
int open_at(int directory, const char* path, const open_how& how) {
    return static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how));
}

}  // namespace

bool is_fact(const std::error_code& error) noexcept {
    switch (error.value()) {
        case ENOENT:
        case ENOTDIR:
        case ELOOP:
        case EXDEV:
        case EACCES:
        case EPERM:
        case ENAMETOOLONG:
        case EINVAL:
        case EILSEQ: return true;
        default: return false;
    }
}

std::expected<FileState, std::error_code> file_state(int fd) {
    struct stat status;
    if (::fstat(fd, &status) != 0) return system_error();
    return FileState::from(status);
}

std::expected<RootDirectory, std::error_code> RootDirectory::open(
    const std::string& path, Symlinks symlinks, std::shared_ptr<const Withheld> withheld) {
    net::UniqueFd fd{::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (!fd) return system_error();
    const auto state = file_state(fd.get());
    if (!state) return std::unexpected{state.error()};
    RootDirectory root{std::move(fd), *state, symlinks, std::move(withheld)};
    if (const auto probe = root.open_directory(""); !probe) return std::unexpected{probe.error()};
    return root;
}

std::expected<net::UniqueFd, std::error_code> RootDirectory::open_beneath(const std::string& path,
                                                                          unsigned flags,
                                                                          bool links) const {
    // openat2(2) fails with EAGAIN if a rename happened during the resolution. The caller may try
    // again.
    constexpr int attempts = 16;
    const open_how how{
        .flags = flags | O_CLOEXEC,
        .mode = 0,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | (links ? 0ULL : RESOLVE_NO_SYMLINKS)};
    for (int attempt = 0;; ++attempt) {
        const int fd = open_at(fd_.get(), path.empty() ? "." : path.c_str(), how);
        if (fd >= 0) return net::UniqueFd{fd};
        const int error = errno;
        const bool is_short = error == EMFILE || error == ENFILE;
        if (is_short && net::descriptors().close_a_file()) continue;
        if (is_short) troubles().note(Trouble::descriptors);
        if ((error != EAGAIN && error != EINTR) || attempt >= attempts) return system_error(error);
    }
}

/// A file is withheld by its identity, or by its name beside a withheld file.
std::expected<bool, std::error_code> RootDirectory::withholds(const std::string& path,
                                                              const FileState& file) const {
    if (!withheld_ || file.kind != FileKind::regular) return false;
    if (const auto has = withheld_->has(file); !has || *has) return has;
    const auto slash = path.rfind('/');
    const std::string_view name = std::string_view{path}.substr(slash == path.npos ? 0 : slash + 1);
    if (!withheld_->may_have(name)) return false;
    const auto folder = open_beneath(slash == path.npos ? "" : path.substr(0, slash),
                                     O_PATH | O_DIRECTORY, symlinks_ == Symlinks::inside_root);
    const auto state = folder ? file_state(folder->get()) : std::unexpected{folder.error()};
    if (!state) return std::unexpected{state.error()};
    return withheld_->has_beside(name, *state);
}

std::error_code RootDirectory::why_not(const std::string& path, const FileState& file) const {
    const auto withheld = withholds(path, file);
    if (!withheld) return withheld.error();
    return *withheld ? std::make_error_code(std::errc::no_such_file_or_directory)
                     : std::error_code{};
}

std::expected<RootDirectory::Found, RootDirectory::Missing> RootDirectory::look(
    const std::string& path) const {
    if (hides(path))
        return std::unexpected{Missing{std::make_error_code(std::errc::no_such_file_or_directory)}};
    return look_even_hidden(path);
}

std::expected<RootDirectory::Found, RootDirectory::Missing> RootDirectory::look_even_hidden(
    const std::string& path) const {
    Found found;
    auto fd = open_beneath(path, O_PATH, false);
    if (!fd && fd.error().value() == ELOOP && symlinks_ == Symlinks::inside_root) {
        found.through_link = true;
        fd = open_beneath(path, O_PATH, true);
    }
    if (!fd) return std::unexpected{Missing{fd.error(), found.through_link}};
    const auto state = file_state(fd->get());
    if (!state) return std::unexpected{Missing{state.error(), found.through_link}};
    if (const auto error = why_not(path, *state))
        return std::unexpected{Missing{error, found.through_link}};
    found.fd = std::move(*fd);
    found.state = *state;
    return found;
}

std::expected<RootDirectory::Opened, std::error_code> RootDirectory::open_file(
    const std::string& path) const {
    if (hides(path)) return system_error(ENOENT);
    return open_even_hidden(path);
}

std::expected<RootDirectory::Opened, std::error_code> RootDirectory::open_even_hidden(
    const std::string& path) const {
    // open(2) on a device or a FIFO can have effects, so check the kind first. Check again
    // afterwards, because the file may have been replaced; O_NONBLOCK covers that moment.
    const auto found = look_even_hidden(path);
    if (!found) return std::unexpected{found.error().error};
    if (found->state.kind != FileKind::regular) return system_error(ENOENT);

    auto fd =
        open_beneath(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, symlinks_ == Symlinks::inside_root);
    if (!fd) return std::unexpected{fd.error()};
    const auto state = file_state(fd->get());
    if (!state) return std::unexpected{state.error()};
    if (state->kind != FileKind::regular) return system_error(ENOENT);
    if (const auto error = why_not(path, *state)) return std::unexpected{error};
    return Opened{std::move(*fd), *state};
}

std::expected<net::UniqueFd, std::error_code> RootDirectory::open_directory(
    const std::string& path) const {
    return open_beneath(path, O_RDONLY | O_DIRECTORY, symlinks_ == Symlinks::inside_root);
}

std::expected<net::UniqueFd, std::error_code> RootDirectory::find_directory(
    const std::string& path) const {
    return open_beneath(path, O_PATH | O_DIRECTORY, false);
}

}  // namespace weir::site
