#include "sandbox/landlock.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "base/last_error.h"
#include "net/unique_fd.h"

namespace weir::sandbox {
namespace {

// Later additions to the interface, which the headers of Debian 12 (Linux 6.1, ABI 2) lack. The
// values are those of include/uapi/linux/landlock.h in Linux 6.12.
constexpr std::uint64_t access_truncate = 1U << 14U;              // ABI 3
constexpr std::uint64_t access_ioctl_device = 1U << 15U;          // ABI 5
constexpr std::uint64_t net_bind_and_connect = 3U;                // ABI 4
constexpr std::uint64_t scope_signals_and_abstract_sockets = 3U;  // ABI 6

/// struct landlock_ruleset_attr of ABI 6. An older kernel accepts it if what it does not know is 0.
struct Ruleset {
    std::uint64_t files;
    std::uint64_t net;
    std::uint64_t scoped;
};

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | access_ioctl_device;
// A log takes back the part of a line that a full disk has cut.
constexpr std::uint64_t making =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | access_truncate;
// A file without a name gets one (open(2), O_TMPFILE), which may take the place of another file.
constexpr std::uint64_t uploading =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
// The only rights that a rule may give to what is no directory.
constexpr std::uint64_t of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                   LANDLOCK_ACCESS_FS_READ_FILE | access_truncate |
                                   access_ioctl_device;

/// Everything that this version of the interface can forbid.
Ruleset all_of(int abi) {
    constexpr std::uint64_t first = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1U) - 1;
    Ruleset all{.files = first, .net = 0, .scoped = 0};
    if (abi >= 2) all.files |= LANDLOCK_ACCESS_FS_REFER;
    if (abi >= 3) all.files |= access_truncate;
    if (abi >= 4) all.net = net_bind_and_connect;
    if (abi >= 5) all.files |= access_ioctl_device;
    if (abi >= 6) all.scoped = scope_signals_and_abstract_sockets;
    return all;
}

/// glibc has no wrappers for these calls.
int create_ruleset(const Ruleset* rules, std::size_t size, std::uint32_t flags) {
    return static_cast<int>(::syscall(SYS_landlock_create_ruleset, rules, size, flags));
}

std::string why_none() {
    if (errno == ENOSYS) return "this kernel has no Landlock (5.13 has it)";
    if (errno == EOPNOTSUPP) return "Landlock is switched off in this kernel";
    return "Landlock is forbidden here: " + last_error().message();
}

class Rules {
   public:
    Rules(const net::UniqueFd& fd, std::uint64_t known) : fd_{fd.get()}, known_{known} {}

    /// Why a rule is missing that should be there: a server without it would not find its files.
    std::error_code error() const noexcept { return error_; }

    /// What does not exist needs no rule, and what a rule cannot be made for (a pipe) has no access
    /// control by Landlock.
    void allow(const std::string& path, std::uint64_t access) {
        const net::UniqueFd target{::open(path.c_str(), O_PATH | O_CLOEXEC)};
        struct stat status{};
        if (!target || ::fstat(target.get(), &status) != 0) return note(last_error());
        if (!S_ISDIR(status.st_mode)) access &= of_files;
        const landlock_path_beneath_attr rule{.allowed_access = access & known_,
                                              .parent_fd = target.get()};
        if (::syscall(SYS_landlock_add_rule, fd_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
            note(last_error());
    }

    void allow_in_folder_of(const std::filesystem::path& file, std::uint64_t access) {
        const auto folder = file.parent_path();
        allow(folder.empty() ? "." : folder.string(), access);
    }

    /// A link is followed: after a rotation a new file takes the place of the link, and before it
    /// the link's target is written to.
    void allow_writing(const std::string& path) {
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
            return allow(path, writing);
        allow_in_folder_of(path, making);
        const auto link = std::filesystem::read_symlink(path, error);  // maybe of a file to come
        if (error) return;
        const auto target = std::filesystem::path{path}.parent_path() / link;
        allow_in_folder_of(std::filesystem::weakly_canonical(target, error), making);
    }

   private:
    void note(std::error_code error) noexcept {
        for (const auto lack : {std::errc::not_enough_memory, std::errc::too_many_files_open,
                                std::errc::too_many_files_open_in_system})
            if (error == lack) error_ = error;
    }

    int fd_;
    std::uint64_t known_;
    std::error_code error_;
};

void add_rules(Rules& rules, const Allowed& allowed) {
    for (const std::string& path : allowed.read) rules.allow(path, reading);
    for (const std::string& path : allowed.write) rules.allow_writing(path);
    for (const std::string& folder : allowed.uploads) rules.allow(folder, uploading);
    for (const std::string& path : allowed.remove)
        rules.allow_in_folder_of(path, LANDLOCK_ACCESS_FS_REMOVE_FILE);
}

}  // namespace

std::expected<int, std::string> restrict_files(const Allowed& allowed) {
    const int abi = create_ruleset(nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) return std::unexpected{why_none()};
    const Ruleset all = all_of(abi);
    const net::UniqueFd ruleset{create_ruleset(&all, sizeof all, 0)};
    if (!ruleset) return std::unexpected{why_none()};
    Rules rules{ruleset, all.files};
    add_rules(rules, allowed);
    if (const auto error = rules.error())
        return std::unexpected{"Landlock takes no rule: " + error.message()};
    if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        return std::unexpected{why_none()};
    return abi;
}

}  // namespace weir::sandbox
