#include "net/system/resource_limits.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace weir::net {
namespace {

/// Reads a file with a number, or with "max".
std::uint64_t number_in(const std::string& path) {
    std::ifstream file{path};
    std::uint64_t number = 0;
    return file >> number ? number : unlimited;
}

// Paths are joined as texts: without memory, operator/ of libstdc++ 12 destroys a part of the path
// that was never made.

std::uint64_t least_in(const std::string& group, std::initializer_list<const char*> names) {
    std::uint64_t least = unlimited;
    for (const char* const name : names) least = std::min(least, number_in(group + '/' + name));
    return least;
}

/// Also reads the files of `top`: in a container, the own group is often the top one, although its
/// path says otherwise.
std::uint64_t least_from(const std::string& top, std::string group,
                         std::initializer_list<const char*> names) {
    std::uint64_t least = least_in(top, names);
    while (!group.empty()) {
        std::string path{top};
        least = std::min(least, least_in(path.append("/").append(group), names));
        const auto slash = group.rfind('/');
        group.resize(slash == group.npos ? 0 : slash);
    }
    return least;
}

}  // namespace

std::uint64_t soft_limit(decltype(RLIMIT_AS) resource) noexcept {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return limit.rlim_cur;
}

/// Reads lines as "0::/path" (cgroups version 2) and "8:cpu,pids:/path" (version 1).
std::uint64_t control_group_limit(std::string_view controller,
                                  std::initializer_list<const char*> names,
                                  const ControlGroups& groups) {
    std::uint64_t least = unlimited;
    std::ifstream file{groups.own};
    for (std::string line; std::getline(file, line);) {
        const auto controllers = line.find(':') + 1, end = line.find(":/");
        if (controllers == 0 || end == line.npos) continue;
        const auto named = "," + line.substr(controllers, end - controllers) + ",";
        const bool unified = named == ",,";
        if (!unified && !named.contains("," + std::string{controller} + ",")) continue;
        std::string top = groups.mounted.string();
        if (!unified) top.append("/").append(controller);
        least = std::min(least, least_from(top, line.substr(end + 2), names));
    }
    return least;
}

}  // namespace weir::net
