#include "site/path/path_walk.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <optional>
#include <string_view>

#include "weir/site/site.h"

namespace weir::site {

namespace {

constexpr int links_max = 40;  // the limit of the kernel

std::string below(const std::string& directory, const std::string& name) {
    return directory == "/" ? directory + name : directory + "/" + name;
}

std::string above(const std::string& directory) {
    const std::size_t slash = directory.rfind('/');
    return slash == 0 ? "/" : directory.substr(0, slash);
}

/// Takes the first name off `path`; empty at its end.
std::string take_name(std::string& path) {
    const std::size_t begin = std::min(path.find_first_not_of('/'), path.size());
    const std::size_t end = std::min(path.find('/', begin), path.size());
    std::string name = path.substr(begin, end - begin);
    path.erase(0, end);
    return name;
}

/// Null if the path is no link, or does not exist.
std::optional<std::string> target_of(const std::string& path) {
    std::array<char, PATH_MAX> target;
    const ssize_t size = ::readlinkat(AT_FDCWD, path.c_str(), target.data(), target.size());
    if (size < 0) return std::nullopt;
    return std::string{target.data(), static_cast<std::size_t>(size)};
}

using Before = std::function<void(const std::string&, const std::string&)>;

/// The loop of for_each_name(). Leaves the names that it has not examined in `rest`.
bool walk(std::string& rest, const Before& before) {
    std::string here = "/";
    int links = 0;
    for (std::string name = take_name(rest); !name.empty(); name = take_name(rest)) {
        if (name == ".") continue;
        if (name == "..") {
            here = above(here);
            continue;
        }
        before(here, name);
        const std::string found = below(here, name);
        const auto target = target_of(found);
        if (!target) {
            if (errno != EINVAL)
                return errno == ENOENT || errno == ENOTDIR;  // EINVAL: it is no link
            here = found;
            continue;
        }
        if (++links > links_max) return true;
        if (target->starts_with('/')) here = "/";
        rest.insert(0, *target + "/");
    }
    return true;
}

}  // namespace

bool for_each_name(const std::string& path, const Before& before) {
    std::string rest = path;
    return walk(rest, before);
}

std::optional<FilePlace> place_of_file(const std::string& path) {
    FilePlace last;
    std::string rest = path;
    const bool could_look = walk(rest, [&](const std::string& directory, const std::string& name) {
        last = {directory, name};
    });
    if (!could_look || rest.find_first_not_of('/') != rest.npos || last.name.empty())
        return std::nullopt;
    return last;
}

std::vector<std::string> places_of_root(const std::string& root) {
    std::error_code error;
    std::string last, link;
    for_each_name(std::filesystem::absolute(root, error).string(),
                  [&](const std::string& directory, const std::string& name) {
                      last = directory;
                      if (std::filesystem::is_symlink(below(directory, name), error))
                          link = below(directory, name);
                  });
    std::vector<std::string> places{last};
    if (!link.empty()) {
        places.push_back(above(link));
        places.push_back(std::filesystem::weakly_canonical(link, error).parent_path().string());
    }
    std::ranges::sort(places);
    const auto rest = std::ranges::unique(places);
    places.erase(rest.begin(), rest.end());
    std::erase_if(places, [](const std::string& place) { return place.empty() || place == "/"; });
    return places;
}

}  // namespace weir::site
