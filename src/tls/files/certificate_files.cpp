#include "tls/files/certificate_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace weir::tls {
namespace {

namespace fs = std::filesystem;

/// The first file or folder at which one may not look, and why.
struct Unread {
    fs::path path;
    std::error_code why;

    void note(const fs::path& of, std::error_code error) {
        if (error && error != std::errc::no_such_file_or_directory && !why) *this = {of, error};
    }
};

bool is_file(const fs::path& path, Unread& unread) {
    std::error_code error;
    const bool is = fs::is_regular_file(path, error);
    unread.note(path, error);
    return is;
}

/// Returns the name of the key's file for a certificate's file: as certbot names them, and as lego
/// does.
fs::path key_beside(const fs::path& path) {
    if (path.filename() == "fullchain.pem") return path.parent_path() / "privkey.pem";
    const auto extension = path.extension();
    if (extension != ".crt" && extension != ".pem") return {};
    return fs::path{path}.replace_extension(".key");
}

/// Returns the folder's own files, and the files of its subfolders: certbot has a folder for each
/// certificate.
std::vector<fs::path> files_of(const fs::path& folder, bool with_folders, Unread& unread) {
    std::vector<fs::path> files;
    std::error_code error, ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, error}) {
        if (is_file(entry.path(), unread)) {
            files.push_back(entry.path());
        } else if (with_folders && entry.is_directory(ignored)) {
            const auto inner = files_of(entry.path(), false, unread);
            files.insert(files.end(), inner.begin(), inner.end());
        }
    }
    unread.note(folder, error);
    std::ranges::sort(files);
    return files;
}

/// The error of a folder in which nothing was found.
std::string fault_of(const std::string& folder, const Unread& unread) {
    if (unread.why) return "cannot read " + unread.path.string() + ": " + unread.why.message();
    return folder +
           " has no certificate with its key: NAME.crt and NAME.key, or fullchain.pem and "
           "privkey.pem";
}

}  // namespace

std::expected<std::vector<CertificateFiles>, std::string> without_folders(
    const std::vector<CertificateFiles>& files) {
    std::vector<CertificateFiles> found;
    for (const CertificateFiles& each : files) {
        std::error_code error;
        if (!fs::is_directory(each.chain, error)) {
            found.push_back(each);
            continue;
        }
        const auto before = found.size();
        Unread unread;
        for (const fs::path& path : files_of(each.chain, true, unread))
            if (const auto key = key_beside(path); !key.empty() && is_file(key, unread))
                found.push_back({path.string(), key.string()});
        if (found.size() == before) return std::unexpected{fault_of(each.chain, unread)};
    }
    return found;
}

}  // namespace weir::tls
