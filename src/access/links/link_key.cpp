#include "access/links/link_key.h"

#include <algorithm>
#include <charconv>

#include "access/password/small_file.h"
#include "base/bytes/base64.h"
#include "base/bytes/sha256.h"

namespace weir::access {
namespace {

std::optional<std::int64_t> seconds_from(std::string_view text) noexcept {
    constexpr std::size_t digits_max = 12;  // the year 33,658
    std::int64_t seconds = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, seconds);
    const bool is_plain = !text.empty() && text.size() <= digits_max && text[0] != '0';
    if (!is_plain || result.ec != std::errc{} || result.ptr != end || seconds < 0)
        return std::nullopt;
    return seconds;
}

/// The value of the parameter; empty if it is missing or there twice.
std::string_view parameter(std::string_view query, std::string_view name) noexcept {
    std::string_view value;
    bool is_there = false;
    while (!query.empty()) {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view one = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        if (!one.starts_with(name) || one.substr(name.size(), 1) != "=") continue;
        if (is_there) return {};
        is_there = true;
        value = one.substr(name.size() + 1);
    }
    return value;
}

}  // namespace

std::expected<LinkKey, std::string> LinkKey::read(const std::string& file) {
    constexpr std::size_t bytes_max = 4096;
    auto secret = read_small_file(file, bytes_max);
    if (!secret && secret.error() == std::errc::invalid_argument)
        return std::unexpected{file + " is no file, so it has no key"};
    if (!secret) return std::unexpected{"cannot read " + file + ": " + secret.error().message()};
    if (secret->size() < bytes_min)
        return std::unexpected{file + " has fewer than 32 bytes; head -c 64 /dev/urandom >" + file +
                               " makes a secret"};
    return LinkKey{std::move(*secret)};
}

std::string LinkKey::signature_of(std::string_view path, std::int64_t expires) const {
    std::string text{"weir signed link\n"};
    text.append(path).append("\n").append(std::to_string(expires));
    return base64url_encoded(text_of(hmac_sha256(secret_, text)));
}

std::optional<LinkClaim> LinkClaim::from(std::string_view query) noexcept {
    const auto expires = seconds_from(parameter(query, "expires"));
    const std::string_view signature = parameter(query, "signature");
    if (!expires || signature.empty()) return std::nullopt;
    return LinkClaim{.expires = *expires, .signature = signature};
}

}  // namespace weir::access
