#include "access/password/htpasswd.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace weir::access {

bool has_control(std::string_view text) noexcept {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

namespace {

std::string_view take_line(std::string_view& text) noexcept {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

std::string refuse_name(std::string_view name) {
    if (name.empty()) return "has no user in front of its colon";
    if (name.size() > Users::name_bytes_max) return "has a user with more than 255 bytes";
    return has_control(name) ? "has a control character in its user" : "";
}

std::string refuse_line(std::string_view line, std::size_t colon) {
    if (colon == line.npos) return "is not of the form user:hash";
    if (auto refusal = refuse_name(line.substr(0, colon)); !refusal.empty()) return refusal;
    auto refusal = refuse_hash(line.substr(colon + 1));
    return refusal.empty() ? refusal : "has " + refusal;
}

std::unexpected<std::string> wrong_line(std::size_t number, const std::string& what) {
    return std::unexpected{"line " + std::to_string(number) + ' ' + what};
}

}  // namespace

std::expected<Users, std::string> Users::parse(std::string_view text) {
    Users users;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        if (line.empty() || line.starts_with('#')) continue;
        const std::size_t colon = line.find(':');
        if (const auto refusal = refuse_line(line, colon); !refusal.empty())
            return wrong_line(number, refusal);
        if (users.size() == users_max)
            return wrong_line(number, "is one too many: 10000 users are the limit");
        users.users_.push_back({.name = std::string{line.substr(0, colon)},
                                .hash = std::string{line.substr(colon + 1)},
                                .line = number});
    }
    std::ranges::sort(users.users_, {},
                      [](const User& user) { return std::tie(user.name, user.line); });
    const auto twice = std::ranges::adjacent_find(users.users_, {}, &User::name);
    if (twice != users.users_.end())
        return wrong_line(std::next(twice)->line,
                          "has the same user as line " + std::to_string(twice->line));
    return users;
}

std::expected<Users, std::string> Users::parse_one(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (auto refusal = refuse_line(line, colon); !refusal.empty())
        return std::unexpected{std::move(refusal)};
    Users users;
    users.users_.push_back(
        {.name = std::string{line.substr(0, colon)}, .hash = std::string{line.substr(colon + 1)}});
    return users;
}

void Users::add(const Users& others) {
    const std::size_t own = users_.size();
    for (const User& other : others.users_)
        if (const auto end = users_.begin() + static_cast<std::ptrdiff_t>(own);
            !std::ranges::binary_search(users_.begin(), end, other.name, {}, &User::name))
            users_.push_back(other);
    std::ranges::sort(users_, {}, &User::name);
}

const std::string* Users::hash_of(std::string_view user) const noexcept {
    const auto found = std::ranges::lower_bound(users_, user, {}, &User::name);
    return found != users_.end() && found->name == user ? &found->hash : nullptr;
}

const std::string* Users::any_hash(std::uint64_t number) const noexcept {
    return users_.empty() ? nullptr : &users_[number % users_.size()].hash;
}

}  // namespace weir::access
