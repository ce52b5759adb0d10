#include "tls/files/certificate_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace weir::tls {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
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
std::vector<fs::path> files_of(const fs::path& folder, bool with_folders, std::error_code& error) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder, error}) {
        std::error_code ignored;
        if (entry.is_regular_file(ignored)) {
            files.push_back(entry.path());
        } else if (with_folders && entry.is_directory(ignored)) {
            const auto inner = files_of(entry.path(), false, ignored);
            files.insert(files.end(), inner.begin(), inner.end());
        }
    }
    std::ranges::sort(files);
    return files;
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
        for (const fs::path& path : files_of(each.chain, true, error))
            if (const auto key = key_beside(path); !key.empty() && is_file(key))
                found.push_back({path.string(), key.string()});
        if (error) return std::unexpected{"cannot read " + each.chain + ": " + error.message()};
        if (found.size() == before)
            return std::unexpected{each.chain +
                                   " has no certificate with its key: NAME.crt and NAME.key, or "
                                   "fullchain.pem and privkey.pem"};
    }
    return found;
}

}  // namespace weir::tls
