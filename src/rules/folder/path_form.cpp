#include "rules/folder/path_form.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "web/routing/pattern.h"

namespace weir::rules {
namespace {

constexpr std::string_view splat = "splat";

bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace

std::size_t name_size(std::string_view text) noexcept {
    if (text.empty() || !is_letter(text.front())) return 0;
    const auto* const end = std::ranges::find_if_not(
        text, [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
    return static_cast<std::size_t>(end - text.begin());
}

std::expected<PathForm, std::string> PathForm::parse(std::string_view text) {
    PathForm form;
    if (std::string why = form.refuse(text); !why.empty()) return std::unexpected{std::move(why)};
    return form;
}

/// Returns the fault; empty if there is none.
std::string PathForm::refuse(std::string_view text) {
    if (text.contains("://")) return "names a host; here, rules are for paths of this site";
    if (!text.starts_with('/')) return "does not begin with a slash";
    if (text.find_first_of("?#") != text.npos) return "has a query or a fragment";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('/', 1), text.size());
        if (std::string why = refuse_piece(text.substr(0, end)); !why.empty()) return why;
        text.remove_prefix(end);
    }
    if (!has_splat_) front_names_ = names_.size();
    return {};
}

/// `segment` has its slash in front.
std::string PathForm::refuse_piece(std::string_view segment) {
    if (segment.starts_with("/:")) {
        std::string why = refuse_text("/");
        return why.empty() ? refuse_name(segment.substr(2)) : why;
    }
    const std::size_t star = segment.find('*');
    if (std::string why = refuse_text(segment.substr(0, star)); !why.empty()) return why;
    if (star == segment.npos) return {};
    if (has_splat_ || segment.find('*', star + 1) != segment.npos) return "has more than one *";
    has_splat_ = true;
    front_names_ = names_.size();
    names_.emplace_back(splat);
    return refuse_text(segment.substr(star + 1));
}

std::string PathForm::refuse_name(std::string_view name) {
    if (name.empty() || name_size(name) != name.size())
        return "has :" + std::string{name} + ", which is no name of letters, digits and _";
    if (name == splat) return "has :splat, which is the name for what * matches";
    if (std::ranges::find(names_, name) != names_.end())
        return "has :" + std::string{name} + " twice";
    // One place stays for the splat.
    if (names_.size() + 1 >= std::tuple_size_v<Captures>) return "has too many names";
    (has_splat_ ? back_ : front_).push_back({.is_named = true});
    names_.emplace_back(name);
    return {};
}

std::string PathForm::refuse_text(std::string_view text) {
    std::string decoded;
    if (!web::append_decoded(decoded, text)) return "has a malformed escape";
    if (decoded.contains('\0')) return "has a NUL";
    if (!decoded.empty()) (has_splat_ ? back_ : front_).push_back({.text = std::move(decoded)});
    return {};
}

bool PathForm::matches(std::string_view path, Captures& captures) const noexcept {
    if (!takes_front(path, captures)) return false;
    if (!has_splat_) return path.empty();
    if (!takes_back(path, captures)) return false;
    captures[front_names_] = path;
    return true;
}

bool PathForm::takes_front(std::string_view& path, Captures& captures) const noexcept {
    std::size_t name = 0;
    for (const Piece& piece : front_) {
        std::size_t size = piece.text.size();
        if (piece.is_named) {
            size = std::min(path.find('/'), path.size());
            if (size == 0) return false;
            captures[name++] = path.substr(0, size);
        } else if (!path.starts_with(piece.text)) {
            return false;
        }
        path.remove_prefix(size);
    }
    return true;
}

bool PathForm::takes_back(std::string_view& path, Captures& captures) const noexcept {
    std::size_t name = names_.size();
    for (auto piece = back_.rbegin(); piece != back_.rend(); ++piece) {
        std::size_t size = piece->text.size();
        if (piece->is_named) {
            size = path.size() - (path.rfind('/') + 1);  // npos + 1 is 0
            if (size == 0) return false;
            captures[--name] = path.substr(path.size() - size);
        } else if (!path.ends_with(piece->text)) {
            return false;
        }
        path.remove_suffix(size);
    }
    return true;
}

}  // namespace weir::rules
