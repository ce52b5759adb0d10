#include "cli/readers/upload_reader.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/access/access_reader.h"
#include "server/entrance/endpoint.h"
#include "site/path/paths.h"
#include "site/path/target_path.h"

namespace weir::cli {
namespace {

/// "/incoming/" -> "incoming".
Parsed<std::string> parse_folder(std::string_view text) {
    std::string path{text};
    if (!path.ends_with('/')) path += '/';
    if (!path.starts_with('/') || site::decoded_path(path) != path)
        return std::unexpected{"'" + std::string{text} +
                               "' is not the path of a folder of the site, such as /incoming"};
    return path.size() == 1 ? std::string{} : path.substr(1, path.size() - 2);
}

/// In place of all folders of --upload. No folder has this name.
constexpr const char* all_folders = "/";

Parsed<std::string> parse_webdav(std::string_view text) {
    if (text == "*") return all_folders;
    return parse_folder(text);
}

Parsed<std::string> parse_users(std::string_view text) {
    std::error_code error;
    if (!std::filesystem::exists(text, error) && !error)
        return std::unexpected{"there is no file '" + std::string{text} +
                               "'; `weir password NAME >FILE` makes one"};
    return std::string{text};
}

Parsed<std::uint64_t> parse_size_of_file(std::string_view text) {
    auto size = parse_size(text);
    if (size == 0U) return std::unexpected{"0 would let no file in"};
    return size;
}

}  // namespace

void UploadReader::add() {
    reader_.group("Uploads", true);
    upload::Options& settings = options_.settings;
    reader_.optional_values(
        "--upload", "/PATH", options_.folders, parse_folder, "/",
        "Let clients put files into the folder, by PUT and by a form in its listing, or only into "
        "the folder /PATH of the site; can be repeated");
    const auto needs_upload = [this](const OptionReader::Added* added) {
        needing_.push_back(added);
    };
    needs_upload(reader_.value("--upload-auth", "FILE", options_.users, parse_users,
                               "Ask for a name and a password of an htpasswd file before a file "
                               "is taken; `weir password` makes its lines"));
    anyone_ = reader_.flag("--upload-anyone", options_.anyone,
                           "Take files without a password also where others reach the address");
    overwrite_ = reader_.flag("--upload-overwrite", settings.overwrites,
                              "Let a new file take the place of one of the same name");
    needs_upload(reader_.value("--upload-max", "SIZE", settings.file_bytes_max, parse_size_of_file,
                               "Largest file that is taken (default: 1G)"));
    needs_upload(reader_.value("--upload-quota", "SIZE", settings.quota_bytes, parse_size,
                               "Size of all files in the folders of --upload, past which nothing "
                               "more is taken; 0: no limit (default: 0)"));
    webdav_ = reader_.optional_values(
        "--webdav", "/PATH", options_.webdav, parse_webdav, "*",
        "Let clients mount the folders of --upload by WebDAV, or only the folder /PATH below them, "
        "and change, move and delete there; can be repeated");
}

void UploadReader::refuse_unused() const {
    const auto refuse = [](const OptionReader::Added& added) {
        throw WrongUse{added.given_by + " needs --upload"};
    };
    for (const OptionReader::Added* const added : needing_)
        if (added->count() > 0) refuse(*added);
    if (options_.anyone) refuse(*anyone_);
    if (options_.settings.overwrites) refuse(*overwrite_);
    if (!options_.webdav.empty()) refuse(*webdav_);
}

/// Puts the folders of --upload in place of all_folders.
void UploadReader::find_webdav() const {
    auto& folders = options_.webdav;
    if (std::ranges::find(folders, all_folders) != folders.end()) folders = options_.folders;
    for (const std::string& folder : folders)
        if (!site::is_within_any(folder, options_.folders))
            throw WrongUse{webdav_->given_by + ": the folder '/" + folder +
                           "' is in none of --upload"};
}

/// A right to read a folder does not include a right to change it.
void UploadReader::finish(const LaunchOptions& launch, const AccessOptions& access) const {
    if (options_.folders.empty()) return refuse_unused();
    find_webdav();
    const auto& addresses = launch.server.addresses;
    if (options_.users.empty() && !options_.anyone && !server::are_loopback(addresses))
        throw WrongUse{
            "--upload at an address that others reach: anyone could put files there; add "
            "--upload-auth FILE, listen only for this machine (--bind 127.0.0.1), or add "
            "--upload-anyone"};
    if (!options_.users.empty()) refuse_plain_passwords(launch, access);
}

}  // namespace weir::cli
