#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include <sys/stat.h>

/// The files of one folder, in memory, each with what weir's head says of it. The programs here never look for paths on
/// the disk, which is in their favour.
namespace peers {

struct File {
    std::string content;
    std::string last_modified;
    std::string tag;
};

/// By path, as in "/1024.bin".
using Files = std::map<std::string, File, std::less<>>;

inline std::string http_date(std::time_t time) {
    std::tm parts{};
    gmtime_r(&time, &parts);
    char text[64];
    return {text, std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

inline Files read(const std::filesystem::path& folder) {
    Files files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        File file;
        file.content.assign(std::istreambuf_iterator<char>(stream), {});
        struct stat status{};
        stat(entry.path().c_str(), &status);
        file.last_modified = http_date(status.st_mtime);
        const auto changed = std::uint64_t(status.st_mtim.tv_sec) * 1'000'000'000 +
                             std::uint64_t(status.st_mtim.tv_nsec);
        char tag[64];
        std::snprintf(tag, sizeof tag, "\"%zx-%" PRIx64 "\"", file.content.size(), changed);
        file.tag = tag;
        files.emplace("/" + entry.path().filename().string(), std::move(file));
    }
    return files;
}

/// `PROGRAM PORT FOLDER WORKERS CONNECTIONS`
struct Arguments {
    std::uint16_t port;
    Files files;
    unsigned workers;
    unsigned connections;
};

inline Arguments arguments(int count, char** words) {
    if (count != 5) {
        std::fprintf(stderr, "usage: %s PORT FOLDER WORKERS CONNECTIONS\n", words[0]);
        std::exit(2);
    }
    const auto number = [&](int at) {
        return static_cast<unsigned>(std::strtoul(words[at], nullptr, 10));
    };
    return {static_cast<std::uint16_t>(number(1)), read(words[2]), number(3), number(4)};
}

inline constexpr int BACKLOG = 4096;
inline constexpr int KEEP_ALIVE_SECONDS = 75;  // as all peers

}  // namespace peers
