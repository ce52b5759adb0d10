#include "site/fields/manifest_reader.h"

#include <utility>

#include "site/fields/content_hash.h"
#include "site/files/read_file.h"
#include "site/path/paths.h"

namespace weir::site {

namespace {

bool is_same_folder(const FileState& one, const FileState& other) noexcept {
    return one.device == other.device && one.inode == other.inode;
}

/// Nothing if it changes meanwhile.
std::optional<std::string> text_of(const RootDirectory::Opened& opened) {
    auto text = read_from_start(opened.fd.get(), opened.state.size);
    const auto after = file_state(opened.fd.get());
    if (!text || !after || *after != opened.state || text->size() != after->size)
        return std::nullopt;
    return std::move(*text);
}

std::string reason_of(const std::error_code& error) {
    return error == std::errc::file_too_large ? "it is larger than 16 MB" : error.message();
}

}  // namespace

std::string ManifestReader::refusal_of(const Options& options) {
    const std::string& file = options.tags_manifest.file;
    if (file.empty()) return {};
    if (!is_path_below(file)) return "'" + file + "' is not the path of a file in the folder";
    return options.tags_from == TagsFrom::content
               ? std::string{}
               : "a manifest is of use only for tags that are made from the content";
}

/// The file was opened before the manifest is read. Both may be of the next release by now, but not
/// the open file: so the path is looked at again.
ManifestReader::Read ManifestReader::read_for(const std::string& path, const FileState& file,
                                              const RootDirectory& root, FileTime now) {
    if (!is_on()) return nullptr;
    Read manifest = read(root, now);
    const auto found = root.look(path);
    return found && found->state == file ? manifest : nullptr;
}

ManifestReader::Read ManifestReader::read(const RootDirectory& root, FileTime now) {
    const auto folder = root.look_even_hidden(std::string{parent_of(path())});
    const auto found = root.look_even_hidden(path());
    if (!folder || !found) {
        tell_unreadable(reason_of(found ? folder.error().error : found.error().error));
        return nullptr;
    }
    if (!is_settled(found->state, now)) return nullptr;
    Read known = kept();
    if (known && known->state == found->state && is_same_folder(known->folder, folder->state))
        return known;
    return read_anew(root, found->state, folder->state);
}

/// Keeps a manifest that can't be read, too: its state changes if its permissions do.
ManifestReader::Read ManifestReader::read_anew(const RootDirectory& root, const FileState& state,
                                               const FileState& folder) {
    const auto opened = root.open_even_hidden(path());
    std::error_code error = opened ? std::error_code{} : opened.error();
    if (opened && opened->state.size > bytes_max)
        error = std::make_error_code(std::errc::file_too_large);
    if (error) {
        tell_unreadable(reason_of(error));
        const bool lasts = opened || is_fact(error);
        return lasts ? keep({.state = state, .folder = folder}) : nullptr;
    }
    const auto text = opened->state == state ? text_of(*opened) : std::nullopt;
    if (!text) return nullptr;
    HashManifest hashes{*text, parent_of(path())};
    if (hashes.is_too_long()) tell_unreadable("it has hashes of more than 250,000 files");
    tell(hashes, state);
    return keep({.hashes = std::move(hashes), .state = state, .folder = folder});
}

ManifestReader::Read ManifestReader::kept() {
    const std::scoped_lock lock{mutex_};
    return kept_;
}

ManifestReader::Read ManifestReader::keep(ReadManifest manifest) {
    Read read = std::make_shared<const ReadManifest>(std::move(manifest));
    const std::scoped_lock lock{mutex_};
    kept_ = read;
    return read;
}

void ManifestReader::tell(const HashManifest& hashes, const FileState& state) {
    if (hashes.faults().empty() || !tells() || !told_.is_first(identity_of(state))) return;
    for (const auto& [line, text] : hashes.faults())
        options_.notice(path() + ":" + std::to_string(line) + ": " + std::string{text} +
                        "; the line is ignored");
    if (hashes.further_faults() > 0)
        options_.notice(path() + ": " + std::to_string(hashes.further_faults()) +
                        " more lines are ignored");
}

void ManifestReader::tell_unreadable(std::string_view reason) {
    if (!tells() || !told_.is_first(hash_of(reason))) return;
    options_.notice(path() +
                    " can't be read, and the tags of large files are made from their times: " +
                    std::string{reason});
}

}  // namespace weir::site
