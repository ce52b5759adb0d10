#include "cli/launch/file_place.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

/// Of "/a/b" below "/a": "b". Of itself: "". Nothing if it is not below.
std::optional<std::string> below(const std::string& top, const std::string& path) {
    if (top == "/") return path.substr(1);
    if (path == top) return "";
    if (!path.starts_with(top + "/")) return std::nullopt;
    return path.substr(top.size() + 1);
}

std::string joined(const std::string& directory, const std::string& rest) {
    if (directory.empty() || rest.empty()) return directory + rest;
    return directory + (directory.ends_with('/') ? "" : "/") + rest;
}

/// proc(5): a space, a tab, a line feed and a backslash are written as "\040".
std::string unescaped(const std::string& text) {
    constexpr int octal = 8;
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool escapes = text[at] == '\\' && at + 3 < text.size();
        out += escapes ? static_cast<char>(std::stoi(text.substr(at + 1, 3), nullptr, octal))
                       : text[at];
        if (escapes) at += 3;
    }
    return out;
}

/// By identity: a file system may ignore case.
std::optional<std::string> walked(const std::string& top, const std::string& file) {
    std::error_code error;
    for (fs::path here = file; here.has_relative_path(); here = here.parent_path())
        if (fs::equivalent(here.parent_path(), top, error))
            return fs::path{file}.lexically_relative(here.parent_path()).string();
    return std::nullopt;
}

}  // namespace

std::string real_path(const std::string& path) {
    constexpr int links_max = 40;  // as the kernel has it
    std::error_code error;
    fs::path here = fs::absolute(path, error);
    for (int links = 0;
         links < links_max && fs::is_symlink(here, error) && !fs::exists(here, error); ++links)
        here = here.parent_path() / fs::read_symlink(here, error);
    auto real = fs::weakly_canonical(here, error);
    return (error ? here : real).string();
}

FileTree::FileTree(const std::string& directory)
    : directory_{real_path(directory)}, mounts_{mounts()} {}

std::vector<FileTree::Mount> FileTree::mounts() {
    std::vector<Mount> all;
    std::ifstream table{"/proc/self/mountinfo"};
    for (std::string line; std::getline(table, line);) {
        std::istringstream fields{line};
        std::string id, parent;
        Mount mount;
        fields >> id >> parent >> mount.device >> mount.root >> mount.point;
        mount.root = unescaped(mount.root);
        mount.point = unescaped(mount.point);
        if (fields) all.push_back(std::move(mount));
    }
    return all;
}

/// Of mounts at the same point, the last one counts.
std::optional<FileTree::Place> FileTree::place_of(const std::string& path) const {
    const Mount* nearest = nullptr;
    for (const Mount& mount : mounts_)
        if (below(mount.point, path) && (!nearest || mount.point.size() >= nearest->point.size()))
            nearest = &mount;
    if (!nearest) return std::nullopt;
    return Place{nearest->device, joined(nearest->root, *below(nearest->point, path))};
}

std::optional<std::string> FileTree::path_of(const std::string& file) const {
    if (auto path = walked(directory_, file)) return path;
    const auto wanted = place_of(file);
    if (!wanted) return std::nullopt;
    const auto within = [&](const Place& top) {
        return top.device == wanted->device ? below(top.path, wanted->path) : std::nullopt;
    };
    if (const auto top = place_of(directory_))
        if (auto path = within(*top)) return path;
    for (const Mount& mount : mounts_)
        if (const auto point = below(directory_, mount.point))
            if (const auto path = within({mount.device, mount.root})) return joined(*point, *path);
    return std::nullopt;
}

}  // namespace weir::cli
