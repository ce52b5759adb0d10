#include "cli/service/passed_addresses.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "net/address.h"

namespace weir::cli {
namespace {

using supervisor::PassedSocket;
using supervisor::PassedSockets;
using Addresses = std::expected<std::vector<std::string>, std::string>;

constexpr std::string_view prefix = "fd:";

/// Several sockets may have one address (SO_REUSEPORT), and a server takes all of them.
void add_once(std::vector<std::string>& all, const std::string& text) {
    if (std::ranges::find(all, text) == all.end()) all.push_back(text);
}

std::expected<std::string, std::string> address_of(const PassedSocket& socket) {
    if (!socket.fault.empty())
        return std::unexpected{"descriptor " + std::to_string(socket.fd) + " (" + socket.name +
                               ") " + socket.fault};
    return net::Address::of_socket(socket.fd)->text();
}

/// True if `word` is the number of the socket, or its name.
bool means(std::string_view word, const PassedSocket& socket) {
    int number = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_number = error == std::errc{} && end == word.data() + word.size();
    return is_number ? number == socket.fd : word == socket.name;
}

/// "web (3), tls (4)".
std::string listed(const PassedSockets& passed) {
    std::string text;
    for (const PassedSocket& each : passed.sockets)
        text.append(text.empty() ? "" : ", ")
            .append(each.name + " (" + std::to_string(each.fd) + ")");
    return text;
}

Addresses addresses_of(std::string_view text, const PassedSockets& passed) {
    const auto word = text.substr(prefix.size());
    std::vector<std::string> all;
    for (const PassedSocket& each : passed.sockets) {
        if (!means(word, each)) continue;
        auto address = address_of(each);
        if (!address) return std::unexpected{std::string{text} + ": " + address.error()};
        add_once(all, *address);
    }
    if (!all.empty()) return all;
    return std::unexpected{
        "no socket '" + std::string{word} + "' was passed; " +
        (passed.sockets.empty() ? passed.why_none : "the sockets are " + listed(passed))};
}

}  // namespace

bool is_passed_form(std::string_view text) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return !text.empty() && text.find_first_of(":/, ") == text.npos;  // fd:1::2 is an IPv6 address
}

Addresses with_passed_addresses(const std::vector<std::string>& texts,
                                const PassedSockets& passed) {
    std::vector<std::string> all;
    for (const std::string& text : texts) {
        if (!is_passed_form(text)) {
            all.push_back(text);
            continue;
        }
        auto addresses = addresses_of(text, passed);
        if (!addresses) return addresses;
        all.insert(all.end(), addresses->begin(), addresses->end());
    }
    return all;
}

Addresses all_passed_addresses(const PassedSockets& passed) {
    std::vector<std::string> all;
    for (const PassedSocket& each : passed.sockets) {
        auto address = address_of(each);
        if (!address) return std::unexpected{address.error()};
        add_once(all, *address);
    }
    return all;
}

}  // namespace weir::cli
