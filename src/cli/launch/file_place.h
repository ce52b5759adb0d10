#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weir::cli {

/// Returns the target of a path, without links; the file itself need not exist, even if a link
/// leads to it.
std::string real_path(const std::string& path);

/// The places at which a directory's files appear: in the directory, and wherever mounts show the
/// same files (mount(8), --bind). An overlay shows the files of its layers.
class FileTree {
   public:
    explicit FileTree(const std::string& directory);

    /// Returns the path of `file` from the directory, "a/b"; nothing if the file is not below the
    /// directory. `file` is a result of real_path().
    std::optional<std::string> path_of(const std::string& file) const;

   private:
    /// A row of /proc/self/mountinfo (proc(5)).
    struct Mount {
        std::string device;                 // "8:1"
        std::string root;                   // of the mount, within its file system
        std::string point;                  // where it is mounted
        std::vector<std::string> layers{};  // of an overlay
    };
    /// A directory within a file system.
    struct Place {
        std::string device;
        std::string path;
    };
    static std::vector<Mount> mounts();
    std::optional<Place> place_of(const std::string& path) const;
    std::optional<std::string> path_to(const Place& wanted) const;

    std::string directory_;
    std::vector<Mount> mounts_;
};

}  // namespace weir::cli
