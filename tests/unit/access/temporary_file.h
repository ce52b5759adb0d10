#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace weir::access {

/// A file in a folder of its own, which ends with it.
class TemporaryFile {
   public:
    TemporaryFile() {
        std::string folder = std::filesystem::temp_directory_path() / "weir-access-XXXXXX";
        folder_ = ::mkdtemp(folder.data());
        path_ = folder_ / "file.html";
    }
    ~TemporaryFile() { std::filesystem::remove_all(folder_); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::string path() const { return path_; }
    /// As a careful program does: another file takes its place.
    void write(std::string_view text) const {
        const auto next = folder_ / "next";
        std::ofstream{next} << text;
        std::filesystem::rename(next, path_);
    }
    void remove() const { std::filesystem::remove(path_); }

   private:
    std::filesystem::path folder_;
    std::filesystem::path path_;
};

}  // namespace weir::access
