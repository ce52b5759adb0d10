#include "upload/room.h"

#include <sys/vfs.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include "upload/new_file.h"

namespace weir::upload {
namespace {

namespace fs = std::filesystem;

/// 0 for a file that is removed meanwhile.
std::uint64_t bytes_of(const fs::directory_entry& entry) {
    std::error_code error;
    if (!fs::is_regular_file(entry.symlink_status(error)) || error) return 0;
    if (entry.path().filename().string().starts_with(NewFile::hidden_prefix)) return 0;
    const auto size = entry.file_size(error);
    return error ? 0 : size;
}

std::uint64_t bytes_below(const std::string& folder) {
    std::uint64_t bytes = 0;
    std::error_code error;
    fs::recursive_directory_iterator each{folder, fs::directory_options::skip_permission_denied,
                                          error};
    for (; !error && each != fs::recursive_directory_iterator{}; each.increment(error))
        bytes += bytes_of(*each);
    return bytes;
}

bool is_below(const std::string& folder, const std::string& other) {
    return folder.size() > other.size() && folder.starts_with(other + '/');
}

}  // namespace

std::uint64_t bytes_in(const std::vector<std::string>& folders) {
    std::uint64_t bytes = 0;
    for (const std::string& folder : folders)
        if (std::ranges::none_of(folders,
                                 [&](const std::string& other) { return is_below(folder, other); }))
            bytes += bytes_below(folder);
    return bytes;
}

std::uint64_t bytes_free(int fd) noexcept {
    struct statfs status{};
    constexpr auto unknown = std::numeric_limits<std::uint64_t>::max();
    if (::fstatfs(fd, &status) != 0 || status.f_blocks == 0) return unknown;
    return static_cast<std::uint64_t>(status.f_bavail) * static_cast<std::uint64_t>(status.f_bsize);
}

}  // namespace weir::upload
