#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir::site {

/// A temporary directory that the destructor removes. Paths are relative to it.
class TemporaryTree {
   public:
    TemporaryTree() {
        std::string name = (std::filesystem::temp_directory_path() / "weir-site-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp"};
        path_ = name;
    }
    ~TemporaryTree() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryTree(const TemporaryTree&) = delete;
    TemporaryTree& operator=(const TemporaryTree&) = delete;

    std::filesystem::path at(std::string_view relative) const { return path_ / relative; }
    std::string string() const { return path_.string(); }

    /// Writes in place: an existing file keeps its inode.
    void write(std::string_view relative, std::string_view content) const {
        std::filesystem::create_directories(at(relative).parent_path());
        std::ofstream file{at(relative), std::ios::binary | std::ios::trunc};
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
        if (!file.flush()) throw std::runtime_error{"write"};
    }
    /// Writes a new file and renames it over the old one: the path gets a new inode at once.
    void replace(std::string_view relative, std::string_view content) const {
        const std::string beside = std::string{relative} + "~";
        write(beside, content);
        std::filesystem::rename(at(beside), at(relative));
    }
    void directory(std::string_view relative) const {
        std::filesystem::create_directories(at(relative));
    }
    void link(std::string_view relative, const std::filesystem::path& target) const {
        std::filesystem::create_directories(at(relative).parent_path());
        std::filesystem::create_symlink(target, at(relative));
    }
    void remove(std::string_view relative) const { std::filesystem::remove_all(at(relative)); }

    void set_modified(std::string_view relative, std::int64_t seconds,
                      std::int64_t nanoseconds = 0) const {
        const timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
        if (::utimensat(AT_FDCWD, at(relative).c_str(), times, 0) != 0)
            throw std::runtime_error{"utimensat"};
    }
    struct stat status(std::string_view relative) const {
        struct stat status;
        if (::stat(at(relative).c_str(), &status) != 0) throw std::runtime_error{"stat"};
        return status;
    }

   private:
    std::filesystem::path path_;
};

}  // namespace weir::site
