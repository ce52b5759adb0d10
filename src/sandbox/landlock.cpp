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
constexpr std::uint64_t access_truncate = 1U << 14U;      // ABI 3
constexpr std::uint64_t access_ioctl_device = 1U << 15U;  // ABI 5
constexpr std::uint64_t net_bind_and_connect = 3U;        // ABI 4
constexpr std::uint64_t net_connect = 2U;
constexpr int rule_of_port = 2;
constexpr std::uint64_t scope_signals_and_abstract_sockets = 3U;  // ABI 6

/// struct landlock_ruleset_attr of ABI 6. An older kernel accepts it if the members that the kernel
/// does not know are 0.
struct Ruleset {
    std::uint64_t files;
    std::uint64_t net;
    std::uint64_t scoped;
};

constexpr std::uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | access_ioctl_device;
// A log truncates its file to remove an incomplete line, after a write to a full disk.
constexpr std::uint64_t making =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | access_truncate;
// An upload is a file without a name (open(2), O_TMPFILE). It gets a name later, and may replace
// another file then.
constexpr std::uint64_t uploading =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
// A folder that clients change has folders of theirs.
constexpr std::uint64_t changing = uploading | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REFER;
// The only rights that a rule may give to a file that is no directory.
constexpr std::uint64_t of_files = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                   LANDLOCK_ACCESS_FS_READ_FILE | access_truncate |
                                   access_ioctl_device;

/// struct landlock_net_port_attr of ABI 4.
struct PortRule {
    std::uint64_t allowed_access;
    std::uint64_t port;
};

/// All rights that this version of the interface can forbid.
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

/// landlock_create_ruleset(2). glibc has no wrappers for the calls of Landlock.
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

    /// The error because of which a necessary rule is missing: a server would not find its files.
    std::error_code error() const noexcept { return error_; }

    /// Ignores most errors: a path that does not exist needs no rule, and Landlock does not control
    /// access to objects that a rule can't name (a pipe).
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

    /// Allows the folder of a link and the folder of its target: the server writes to the target
    /// until a rotation, and then a new file takes the place of the link.
    void allow_writing(const std::string& path) {
        std::error_code error;
        const auto status = std::filesystem::status(path, error);
        if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
            return allow(path, writing);
        allow_in_folder_of(path, making);
        const auto link = std::filesystem::read_symlink(path, error);  // may name no file yet
        if (error) return;
        const auto target = std::filesystem::path{path}.parent_path() / link;
        allow_in_folder_of(std::filesystem::weakly_canonical(target, error), making);
    }

    void allow_port(std::uint16_t port) {
        const PortRule rule{.allowed_access = net_connect, .port = port};
        if (::syscall(SYS_landlock_add_rule, fd_, rule_of_port, &rule, 0) != 0)
            error_ = last_error();
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
    for (const std::string& folder : allowed.folders) rules.allow(folder, changing);
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
    if (all.net != 0)
        for (const std::uint16_t port : allowed.ports) rules.allow_port(port);
    if (const auto error = rules.error())
        return std::unexpected{"Landlock takes no rule: " + error.message()};
    if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
        return std::unexpected{why_none()};
    return abi;
}

}  // namespace weir::sandbox
