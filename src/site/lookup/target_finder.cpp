#include "site/lookup/target_finder.h"

#include <algorithm>
#include <cerrno>

#include "site/path/paths.h"

namespace weir::site {

using http::Status;

Status status_of(const std::error_code& error) noexcept {
    switch (error.value()) {
        case ENOENT:
        case ENOTDIR:
        case ENAMETOOLONG:
        case EXDEV:  // led out of the root: do not disclose what is there
        case ELOOP:
        case EINVAL:  // names that this file system does not allow
        case EILSEQ: return Status::not_found;
        case EACCES:
        case EPERM: return Status::forbidden;
        case EMFILE:
        case ENFILE:
        case ENOMEM:
        case EAGAIN: return Status::service_unavailable;
        default: return Status::internal_server_error;
    }
}

namespace {

bool is_regular(const std::expected<FileState, std::error_code>& state) {
    return state && state->kind == FileKind::regular;
}

Target find_in_directory(const std::string& directory, const Options& options, Lookup& lookup) {
    const auto state = lookup.look(directory);
    if (!state) return status_of(state.error());
    if (state->kind != FileKind::directory) return Status::not_found;
    for (const std::string& name : options.index_names) {
        std::string file = joined(directory, name);
        const auto index = lookup.look(file);
        if (is_regular(index)) return FileTarget{std::move(file)};
        // The index exists but cannot be read now. Do not fall back: the next name would be another
        // page.
        if (!index && status_of(index.error()) != Status::not_found)
            return status_of(index.error());
    }
    if (options.listing) return ListingTarget{directory};
    return UnlistedTarget{};
}

Target find_one_file(std::string_view path, const Options& options, Lookup& lookup) {
    if (path != "/" && path.substr(1) != options.file_name) return Status::not_found;
    const std::string& file = lookup.root().file();
    const auto state = lookup.look(file);
    if (!state) return status_of(state.error());
    if (state->kind != FileKind::regular) return Status::not_found;
    return FileTarget{file};
}

constexpr std::string_view page_ending = ".html";

/// An error page does not redirect to a clean address: the site serves errors with the file of that
/// name.
bool is_error_page(std::string_view file) {
    return file.size() == 3 + page_ending.size() && file.ends_with(page_ending) &&
           (file[0] == '4' || file[0] == '5') &&
           file.find_first_not_of("0123456789") == file.size() - page_ending.size();
}

bool is_file(const Target& target, std::string_view name) {
    const auto* const file = std::get_if<FileTarget>(&target);
    return file != nullptr && file->file == name;
}

/// Returns the address of the folder if `page` is its index; otherwise an empty string.
std::string address_as_index(const std::string& page, const Options& options, Lookup& lookup) {
    const std::string directory{parent_of(page)};
    const std::string_view name = std::string_view{page}.substr(page.rfind('/') + 1);
    if (std::ranges::find(options.index_names, name) == options.index_names.end()) return {};
    if (!is_file(find_in_directory(directory, options, lookup), page)) return {};
    return directory.empty() ? "/" : "/" + directory + "/";
}

/// The address of the file `page` with clean URLs: the folder for an index, the name without the
/// extension for any other page. Empty if that is the address of another file.
std::string clean_address(const std::string& page, const Options& options, Lookup& lookup) {
    if (std::string address = address_as_index(page, options, lookup); !address.empty())
        return address;
    const std::string stem = page.substr(0, page.size() - page_ending.size());
    const bool has_name = !stem.empty() && !stem.ends_with('/');
    const bool is_dotfile = stem[stem.rfind('/') + 1] == '.';  // "/." and "/.." are other paths
    if (!has_name || is_dotfile || is_regular(lookup.look(stem))) return {};
    return "/" + stem;
}

/// With clean URLs: returns the page if `path` is its address, otherwise a redirect to its address.
Target find_page(std::string_view path, std::string page, const Options& options, Lookup& lookup) {
    std::string address = clean_address(page, options, lookup);
    if (address.empty() || address == path || is_error_page(page))
        return FileTarget{std::move(page)};
    return RedirectTarget{std::move(address)};
}

/// With clean URLs, "/about/" redirects to the page if there is no such directory.
Target find_with_slash(std::string_view path, const std::string& directory, const Options& options,
                       Lookup& lookup) {
    Target found = find_in_directory(directory, options, lookup);
    if (!options.clean_urls || directory.empty() || lookup.look(directory)) return found;
    std::string page = directory + std::string{page_ending};
    if (!is_regular(lookup.look(page))) return found;
    return find_page(path, std::move(page), options, lookup);
}

}  // namespace

void serve_one_file(Options& options) {
    if (options.file_name.empty()) options.file_name = options.file;
    options.dotfiles = true;
    options.listing = options.spa_fallback = options.clean_urls = false;
    options.error_pages = options.precompressed = false;
    options.tags_manifest = {};
    options.keep_old = {};
}

Target find_target(std::string_view path, const Options& options, Lookup& lookup) {
    if (!options.file.empty()) return find_one_file(path, options, lookup);
    std::string relative{path.substr(1)};
    if (relative.empty() || relative.ends_with('/')) {
        if (!relative.empty()) relative.pop_back();
        return find_with_slash(path, relative, options, lookup);
    }
    const auto state = lookup.look(relative);
    if (is_regular(state))
        return options.clean_urls && relative.ends_with(page_ending)
                   ? find_page(path, std::move(relative), options, lookup)
                   : FileTarget{std::move(relative)};
    if (options.clean_urls)
        if (std::string page = relative + std::string{page_ending}; is_regular(lookup.look(page)))
            return find_page(path, std::move(page), options, lookup);
    if (!state) return status_of(state.error());
    if (state->kind == FileKind::directory) return RedirectTarget{std::string{path} + "/"};
    return Status::not_found;
}

}  // namespace weir::site
