#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "access/password/htpasswd.h"

// The forms of hashes (crypt(5)). The check finds hashes that are cut or mistyped, which no
// password would match.
namespace weir::access {
namespace {

constexpr const char* use_password = "; make the line anew by `weir password`";

/// The letters of crypt(3)'s base 64.
bool is_base64(std::string_view text) noexcept {
    return std::ranges::all_of(text, [](char c) {
        return (c >= '.' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    });
}

/// Takes the text in front of the next `$`, and the `$`, off; null if there is none.
std::optional<std::string_view> take_part(std::string_view& text) noexcept {
    const std::size_t end = text.find('$');
    if (end == text.npos) return std::nullopt;
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end + 1);
    return part;
}

std::optional<unsigned> number_of(std::string_view text) noexcept {
    unsigned number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return number;
}

/// "12$" and 53 letters. Each further step doubles the time; 16 take several seconds.
bool is_bcrypt(std::string_view rest) noexcept {
    const auto cost = take_part(rest);
    const auto number = cost && cost->size() == 2 ? number_of(*cost) : std::nullopt;
    return number && *number >= 4 && *number <= 16 && rest.size() == 53 && is_base64(rest);
}

/// "[rounds=N$]salt$hash"
bool is_sha(std::string_view rest, std::size_t hash_size) noexcept {
    constexpr std::string_view rounds = "rounds=";
    if (rest.starts_with(rounds)) {
        const auto part = take_part(rest);
        const auto number = part ? number_of(part->substr(rounds.size())) : std::nullopt;
        if (!number || *number < 1'000 || *number > 10'000'000) return false;
    }
    const auto salt = take_part(rest);
    return salt && !salt->empty() && salt->size() <= 16 && is_base64(*salt) &&
           rest.size() == hash_size && is_base64(rest);
}

/// "parameters$salt$hash"
bool is_yescrypt(std::string_view rest) noexcept {
    const auto parameters = take_part(rest);
    const auto salt = parameters ? take_part(rest) : std::nullopt;
    return salt && parameters->size() >= 3 && parameters->size() <= 12 && is_base64(*parameters) &&
           salt->size() <= 86 && is_base64(*salt) && rest.size() == 43 && is_base64(rest);
}

/// True if the hash has the form of its method; null if weir does not know the method.
std::optional<bool> is_formed(std::string_view hash) noexcept {
    for (const std::string_view start : {"$2a$", "$2b$", "$2y$"})
        if (hash.starts_with(start)) return is_bcrypt(hash.substr(start.size()));
    if (hash.starts_with("$5$")) return is_sha(hash.substr(3), 43);
    if (hash.starts_with("$6$")) return is_sha(hash.substr(3), 86);
    if (hash.starts_with("$y$")) return is_yescrypt(hash.substr(3));
    return std::nullopt;
}

}  // namespace

std::string refuse_hash(std::string_view hash) {
    if (const auto formed = is_formed(hash))
        return *formed ? "" : std::string{"a hash that is cut or mistyped"} + use_password;
    constexpr std::array<std::pair<std::string_view, const char*>, 4> weak{{
        {"$apr1$", "an MD5 hash (apr1), which is too weak"},
        {"$1$", "an MD5 hash, which is too weak"},
        {"{SHA}", "a SHA-1 hash without salt, which is too weak"},
        {"{SSHA}", "a SHA-1 hash, which is too weak"},
    }};
    for (const auto& [start, what] : weak)
        if (hash.starts_with(start)) return std::string{what} + use_password;
    return std::string{"a plain password or a hash that weir does not know"} + use_password;
}

}  // namespace weir::access
