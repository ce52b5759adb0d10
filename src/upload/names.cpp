#include "upload/names.h"

#include <algorithm>
#include <utility>

#include "http/syntax/utf8.h"
#include "site/path/paths.h"
#include "upload/faults.h"
#include "upload/new_file.h"

namespace weir::upload {
namespace {

constexpr std::size_t name_bytes_max = 255;  // NAME_MAX of Linux

/// True for controls of ASCII, and of Latin-1 (U+0080 to U+009F): a terminal may obey both.
bool has_control(std::string_view utf8) noexcept {
    unsigned char before = 0;
    return std::ranges::any_of(utf8, [&before](char c) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_second = std::exchange(before, byte) == 0xc2;
        return byte < 0x20 || byte == 0x7f || (is_second && byte < 0xa0);
    });
}

/// True for /.well-known, too: a file there proves to a CA the possession of the host (RFC 8555
/// 8.3).
bool has_dot_segment(std::string_view path) noexcept {
    return path.starts_with('.') || path.contains("/.");
}

std::string_view fault_of(std::string_view name) noexcept {
    if (name.empty() || name == "." || name == "..") return "The file has no name";
    if (name.size() > name_bytes_max) return "A name has at most 255 bytes";
    if (name.contains('/')) return "A name has no slash: the folders of a file are not made";
    if (!http::is_utf8(name)) return "A name is UTF-8";
    if (has_control(name)) return "A name has no control characters";
    return {};
}

bool known(const std::expected<bool, std::error_code>& withheld) {
    if (!withheld) throw refusal_of(withheld.error().value());
    return *withheld;
}

}  // namespace

Names::Names(const site::Options& site, std::vector<std::string> folders)
    : folders_{std::move(folders)},
      dotfiles_{site.dotfiles},
      withheld_{std::make_shared<const site::Withheld>(site.withheld, site.hidden)} {}

bool Names::take_in(std::string_view folder) const { return site::is_within_any(folder, folders_); }

std::optional<web::Refusal> Names::refusal_of(const Target& target) const {
    if (const auto fault = fault_of(target.name); !fault.empty())
        return web::Refusal{http::Status::bad_request, std::string{fault}};
    const std::string path = site::joined(target.folder, target.name);
    if (!dotfiles_ && has_dot_segment(path))
        return web::Refusal{http::Status::forbidden, "Names that begin with a dot are not taken"};
    if (withheld_->hides(path) || target.name.starts_with(NewFile::hidden_prefix))
        return web::Refusal{http::Status::forbidden, "Files of this name are not taken here"};
    return std::nullopt;
}

bool Names::withhold(const Target& target, const site::FileState& folder) const {
    return withheld_->may_have(target.name) && known(withheld_->has_beside(target.name, folder));
}

bool Names::withhold(const site::FileState& file) const { return known(withheld_->has(file)); }

}  // namespace weir::upload
