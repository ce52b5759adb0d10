#include "cli/launch/file_place.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace weir::cli {
namespace {

namespace fs = std::filesystem;

/// Returns "b" for "/a/b" below "/a", "" for "/a" itself, and nothing for a path that is not below
/// `top`.
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

/// Decodes a field of mountinfo: a space, a tab, a line feed and a backslash are written as "\040"
/// (proc(5)).
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

/// Splits an option of an overlay, in which a backslash escapes the next character. Without a
/// separator, there is one part.
std::vector<std::string> parts_of(const std::string& text, std::optional<char> separator) {
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == separator) {
            parts.emplace_back();
            continue;
        }
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        parts.back() += text[at];
    }
    return parts;
}

/// Returns the directories whose files an overlay shows, from its row: "... - overlay SOURCE
/// rw,lowerdir=/a:/b" (proc(5); "Overlay Filesystem" in the documentation of Linux). Relative paths
/// are skipped: the row has them as they were given to mount(2), and their start is not known.
std::vector<std::string> layers_of(const std::string& row) {
    std::vector<std::string> layers;
    if (row.find(" - overlay ") == row.npos) return layers;
    std::istringstream options{row.substr(row.rfind(' ') + 1)};
    for (std::string option; std::getline(options, option, ',');) {
        const std::size_t equals = option.find('=');
        const std::string name = option.substr(0, equals);
        if (name != "upperdir" && name != "lowerdir" && name != "lowerdir+") continue;
        const auto separator = name == "lowerdir" ? std::optional{':'} : std::nullopt;
        for (const std::string& layer : parts_of(unescaped(option.substr(equals + 1)), separator))
            if (layer.starts_with('/')) layers.push_back(real_path(layer));
    }
    return layers;
}

/// Walks up from `file`, and compares directories by identity, because a file system may ignore
/// case.
std::optional<std::string> walked(const std::string& top, const std::string& file) {
    std::error_code error;
    for (fs::path here = file; here.has_relative_path(); here = here.parent_path())
        if (fs::equivalent(here.parent_path(), top, error))
            return fs::path{file}.lexically_relative(here.parent_path()).string();
    return std::nullopt;
}

}  // namespace

std::string real_path(const std::string& path) {
    constexpr int links_max = 40;  // the kernel's limit
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
        mount.layers = layers_of(line);
        if (fields) all.push_back(std::move(mount));
    }
    return all;
}

/// If several mounts have the same point, the last one counts.
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
    const auto place = place_of(file);
    if (!place) return std::nullopt;
    if (auto path = path_to(*place)) return path;
    for (const Mount& mount : mounts_)
        for (const std::string& layer : mount.layers)
            if (const auto top = place_of(layer); top && top->device == place->device)
                if (const auto rest = below(top->path, place->path))
                    if (auto path = path_to({mount.device, joined("/", *rest)})) return path;
    return std::nullopt;
}

std::optional<std::string> FileTree::path_to(const Place& wanted) const {
    const auto within = [&](const Place& top) {
        return top.device == wanted.device ? below(top.path, wanted.path) : std::nullopt;
    };
    if (const auto top = place_of(directory_))
        if (auto path = within(*top)) return path;
    for (const Mount& mount : mounts_)
        if (const auto point = below(directory_, mount.point))
            if (const auto path = within({mount.device, mount.root})) return joined(*point, *path);
    return std::nullopt;
}

}  // namespace weir::cli
