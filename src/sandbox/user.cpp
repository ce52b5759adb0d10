#include "weir/sandbox/user.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/last_error.h"

namespace weir::sandbox {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;
// One line of /etc/passwd or /etc/group, which can name many members.
using Line = std::array<char, 64 * 1024>;

/// Calls `look` with each line's entry until `look` returns true. The function reads the files
/// directly: getpwnam(3) would load further libraries, which a static program does not have.
template <typename Entry, typename Look>
void each_entry(const char* path, int (*read)(std::FILE*, Entry*, char*, std::size_t, Entry**),
                Look look) {
    const File file{std::fopen(path, "re")};
    const auto line = std::make_unique<Line>();
    Entry entry{};
    Entry* found = nullptr;
    while (file && read(file.get(), &entry, line->data(), line->size(), &found) == 0)
        if (look(*found)) return;
}

template <typename Look>
void each_user(Look look) {
    each_entry("/etc/passwd", ::fgetpwent_r, look);
}

template <typename Look>
void each_group(Look look) {
    each_entry("/etc/group", ::fgetgrent_r, look);
}

std::optional<unsigned> number(std::string_view text) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // The highest number means "none" to the system calls.
    if (error != std::errc{} || end != text.data() + text.size() || value == ~0U)
        return std::nullopt;
    return value;
}

std::optional<gid_t> find_group(std::string_view name) {
    std::optional<gid_t> gid = number(name);
    each_group([&](const group& each) {
        if (name == each.gr_name) gid = each.gr_gid;
        return name == each.gr_name;
    });
    return gid;
}

std::vector<gid_t> groups_of(const std::string& member) {
    std::vector<gid_t> groups;
    each_group([&](const group& each) {
        for (char** name = each.gr_mem; *name != nullptr; ++name)
            if (member == *name) groups.push_back(each.gr_gid);
        return false;
    });
    return groups;
}

/// A user by name or number, with its group if /etc/passwd lists the user.
struct Listed {
    std::optional<uid_t> uid;
    std::optional<gid_t> gid;
    std::string name;
};

Listed find_listed(std::string_view name) {
    Listed user{.uid = number(name), .gid = std::nullopt, .name = std::string{name}};
    each_user([&](const passwd& each) {
        if (name != each.pw_name && user.uid != each.pw_uid) return false;
        user = {.uid = each.pw_uid, .gid = each.pw_gid, .name = each.pw_name};
        return true;
    });
    return user;
}

std::unexpected<std::string> sentence(const std::string& text) { return std::unexpected{text}; }

/// True if the process can become root again: an intruder would do that.
bool can_return(const User& user) {
    return ::setuid(0) == 0 || ::seteuid(0) == 0 || (user.gid != 0 && ::setgid(0) == 0);
}

bool change_ids(const User& user) {
    return ::setgroups(user.groups.size(), user.groups.data()) == 0 &&
           ::setresgid(user.gid, user.gid, user.gid) == 0 &&
           ::setresuid(user.uid, user.uid, user.uid) == 0;
}

std::string inaccessible(const std::vector<std::string>& paths, const User& user, int how,
                         const char* what) {
    for (const std::string& path : paths)
        if (::faccessat(AT_FDCWD, path.c_str(), how, AT_EACCESS) != 0)
            return "the user " + user.name + what + path + ": " + last_error().message();
    return {};
}

}  // namespace

std::expected<User, std::string> find_user(std::string_view text) {
    const auto colon = text.find(':');
    const Listed listed = find_listed(text.substr(0, colon));
    if (!listed.uid) return sentence("there is no user '" + listed.name + "' in /etc/passwd");
    if (*listed.uid == 0) return sentence("to become root gives up nothing");
    User user{.name = listed.name, .uid = *listed.uid};
    if (colon != std::string_view::npos) {
        const auto group_name = text.substr(colon + 1);
        const auto gid = find_group(group_name);
        if (!gid)
            return sentence("there is no group '" + std::string{group_name} + "' in /etc/group");
        user.gid = *gid;
    } else if (listed.gid) {
        user.gid = *listed.gid;
        user.groups = groups_of(user.name);
    } else {
        return sentence("the user " + user.name + " is not in /etc/passwd: add a group, as in " +
                        user.name + ":" + user.name);
    }
    return user;
}

std::expected<void, std::string> become(const User& user) {
    if (::geteuid() != 0)
        return sentence("only root can become the user " + user.name +
                        "; start weir as that user, or leave out --user");
    if (!change_ids(user))
        return sentence("cannot become the user " + user.name + ": " + last_error().message());
    if (can_return(user))
        return sentence("cannot give up root for good: the process can still return to it");
    // Since the change, the process may not read its own /proc/self/fd, which weir needs.
    ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    return {};
}

std::string unreadable(const std::vector<std::string>& paths, const User& user) {
    return inaccessible(paths, user, R_OK, " cannot read ");
}

std::string unwritable(const std::vector<std::string>& folders, const User& user) {
    return inaccessible(folders, user, W_OK | X_OK, " cannot write to ");
}

}  // namespace weir::sandbox
