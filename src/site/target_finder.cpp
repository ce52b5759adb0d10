#include "site/target_finder.h"

#include <cerrno>

#include "site/paths.h"

namespace weir::site {

using http::Status;

Status status_of(const std::error_code& error) noexcept {
    switch (error.value()) {
        case ENOENT:
        case ENOTDIR:
        case ENAMETOOLONG:
        case EXDEV:  // led out of the root: nobody shall learn what is there
        case ELOOP:
        case EINVAL:  // names that this file system doesn't take
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
        // Something is there and can't be had now: the next best would be another page.
        if (!index && status_of(index.error()) != Status::not_found)
            return status_of(index.error());
    }
    if (options.listing) return ListingTarget{directory};
    return UnlistedTarget{};
}

Target find_one_file(std::string_view path, const Options& options, Lookup& lookup) {
    if (path != "/" && path.substr(1) != options.file_name) return Status::not_found;
    const auto state = lookup.look(options.file);
    if (!state) return status_of(state.error());
    if (state->kind != FileKind::regular) return Status::not_found;
    return FileTarget{options.file};
}

}  // namespace

Target find_target(std::string_view path, const Options& options, Lookup& lookup) {
    if (!options.file.empty()) return find_one_file(path, options, lookup);
    std::string relative{path.substr(1)};
    if (relative.empty() || relative.ends_with('/')) {
        if (!relative.empty()) relative.pop_back();
        return find_in_directory(relative, options, lookup);
    }
    const auto state = lookup.look(relative);
    if (is_regular(state)) return FileTarget{std::move(relative)};
    if (options.clean_urls)
        if (std::string page = relative + ".html"; is_regular(lookup.look(page)))
            return FileTarget{std::move(page)};
    if (!state) return status_of(state.error());
    if (state->kind == FileKind::directory) return RedirectTarget{std::string{path} + "/"};
    return Status::not_found;
}

}  // namespace weir::site
