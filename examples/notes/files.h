// A folder with a file for each note. Its calls block: see api.h.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

class Files {
   public:
    explicit Files(std::filesystem::path folder) : folder_{std::move(folder)} {
        std::filesystem::create_directories(folder_);
    }
    std::string path(int id) const { return folder_ / std::to_string(id); }
    void remove(int id) { std::filesystem::remove(path(id)); }

   private:
    const std::filesystem::path folder_;
};

/// A file that takes the place of the old one when it is whole. Without finish(), it is removed.
class NewFile {
   public:
    NewFile(const Files& files, int id)
        : path_{files.path(id)},
          temporary_{path_ + ".new"},
          stream_{temporary_, std::ios::binary} {}
    ~NewFile() {
        std::error_code ignored;
        if (!is_finished_) std::filesystem::remove(temporary_, ignored);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void write(std::string_view bytes) {
        stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        check();
    }
    void finish() {
        stream_.close();
        check();
        std::filesystem::rename(temporary_, path_);
        is_finished_ = true;
    }

   private:
    void check() const {
        if (!stream_) throw std::runtime_error{"cannot write " + temporary_};
    }

    const std::string path_, temporary_;
    std::ofstream stream_;
    bool is_finished_ = false;
};
