#include "archive/folders.h"

#include <optional>
#include <string_view>
#include <utility>

#include "archive/archive_source.h"
#include "site/path/target_path.h"

namespace weir::archive {
namespace {

struct Kind {
    std::string_view query;
    std::string_view ending;
    std::string_view media_type;
    std::unique_ptr<Format> (*make)();
};
constexpr Kind kinds[] = {
    {"archive=tar", ".tar", "application/x-tar", make_tar},
    {"archive=zip", ".zip", "application/zip", make_zip},
};

const Kind* kind_of(const http::Request& request) noexcept {
    if (request.method() != http::Method::get && request.method() != http::Method::head)
        return nullptr;
    for (const Kind& kind : kinds)
        if (request.query() == kind.query) return &kind;
    return nullptr;
}

/// The folder that the path names, relative to the root, or nothing: the site knows what to answer.
std::optional<std::string> folder_of(std::string_view target, const site::RootDirectory& root,
                                     bool dotfiles) {
    std::string buffer(target.size(), '\0');
    const auto path = site::target_path(target, buffer);
    if (!path || !path->ends_with('/') || (!dotfiles && site::is_hidden(*path)))
        return std::nullopt;
    std::string folder{path->substr(1)};
    if (!folder.empty()) folder.pop_back();
    const auto found = root.look(folder);
    if (!found || found->state.kind != site::FileKind::directory) return std::nullopt;
    return folder;
}

std::string name_of(const std::string& folder) {
    return folder.empty() ? "root" : folder.substr(folder.rfind('/') + 1);
}

/// RFC 6266 4: a name for each client, and its letters for those that know RFC 8187.
std::string disposition(const std::string& name, std::string_view ending) {
    std::string plain;
    for (const char c : name)
        plain += c < ' ' || c > '~' || c == '"' || c == '\\' || c == '%' ? '_' : c;
    std::string text = "attachment; filename=\"" + plain;
    text.append(ending) += '"';
    if (plain == name) return text;
    text += "; filename*=UTF-8''";
    constexpr std::string_view digits = "0123456789ABCDEF";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                               (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == '_';
        if (is_letter)
            text += c;
        else
            (text += '%').append({digits[byte >> 4U], digits[byte & 0xfU]});
    }
    return text.append(ending);
}

}  // namespace

std::expected<std::unique_ptr<Folders>, std::string> Folders::around(http::Handler& site,
                                                                     const site::Options& options) {
    auto root = site::RootDirectory::open(options.root, options.symlinks);
    if (!root) return std::unexpected{root.error()};
    return std::make_unique<Folders>(
        site, std::make_shared<const site::RootDirectory>(std::move(*root)), options.dotfiles);
}

http::Reply Folders::handle(const http::Request& request) {
    const Kind* const kind = kind_of(request);
    if (kind == nullptr) return site_.handle(request);
    auto folder = folder_of(request.path(), *root_, dotfiles_);
    if (!folder) return site_.handle(request);
    const std::string name = name_of(*folder);
    http::Response response;
    response.add("Content-Type", kind->media_type)
        .add("Content-Disposition", disposition(name, kind->ending))
        .add("X-Content-Type-Options", "nosniff")
        .add("Cache-Control", "no-cache");
    response.content(std::make_unique<ArchiveSource>(
        *root_, Walk{*root_, std::move(*folder), name, dotfiles_}, kind->make()));
    response.retain(root_);
    return response;
}

}  // namespace weir::archive
