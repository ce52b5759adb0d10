#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace weir::net {

inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

/// The soft limit of a resource of getrlimit(2), in its unit, or `unlimited`.
std::uint64_t soft_limit(decltype(RLIMIT_AS) resource) noexcept;

struct ControlGroups {
    std::filesystem::path mounted = "/sys/fs/cgroup";
    std::filesystem::path own = "/proc/self/cgroup";  // the groups of this process
};

/// The least number in the files with these names, in the process's control group and in all groups
/// above it, which limit the process, too; or `unlimited`. The files of a controller have other
/// names in version 1 than in version 2 (cgroups(7)).
std::uint64_t control_group_limit(std::string_view controller,
                                  std::initializer_list<const char*> names,
                                  const ControlGroups& groups = {});

}  // namespace weir::net
