#include "cli/commands/health_question.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

#include "cli/option/endpoint_fault.h"
#include "net/uninterrupted.h"
#include "net/unique_fd.h"
#include "server/entrance/endpoint.h"
#include "tls/client.h"

namespace weir::cli {
namespace {

constexpr std::size_t answer_bytes = std::string_view{"HTTP/1.1 200"}.size();

std::unexpected<std::string> no_answer() {
    return std::unexpected{"does not answer: " + std::generic_category().message(errno)};
}

/// Returns "200" for "HTTP/1.1 200"; empty if the text is not an HTTP response.
std::string_view status_of(std::string_view answer) {
    constexpr std::string_view version = "HTTP/1.1 ";
    const bool is_http = answer.size() == answer_bytes && answer.starts_with("HTTP/1.");
    const auto status = answer.substr(is_http ? version.size() : answer.size());
    return status.find_first_not_of("0123456789") == status.npos ? status : std::string_view{};
}

std::expected<net::UniqueFd, std::string> connect(const net::Address& address,
                                                  std::chrono::milliseconds patience) {
    net::UniqueFd socket{::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (!socket) return no_answer();
    // SO_SNDTIMEO also limits connect(2).
    const timeval time{.tv_sec = patience.count() / 1000,
                       .tv_usec = patience.count() % 1000 * 1000};
    for (const int option : {SO_SNDTIMEO, SO_RCVTIMEO})
        ::setsockopt(socket.get(), SOL_SOCKET, option, &time, sizeof time);
    // An interrupted connect(2) continues; the second call waits for it.
    if (net::uninterrupted(
            [&] { return ::connect(socket.get(), address.data(), address.size()); }) != 0)
        return no_answer();
    return socket;
}

std::string request_of(const Target& target) {
    return "HEAD " + target.path + " HTTP/1.1\r\nHost: " + target.authority +
           "\r\nUser-Agent: weir-health\r\nConnection: close\r\n\r\n";
}

/// Returns the number of bytes, which is less than the size of `into` if the connection ends
/// earlier; -1 if recv(2) fails before the first byte.
ssize_t receive_all(int socket, std::span<char> into) {
    std::size_t size = 0;
    while (size < into.size()) {
        const auto rest = into.subspan(size);
        const auto got =
            net::uninterrupted([&] { return ::recv(socket, rest.data(), rest.size(), 0); });
        if (got < 0 && size == 0) return -1;
        if (got <= 0) break;
        size += static_cast<std::size_t>(got);
    }
    return static_cast<ssize_t>(size);
}

/// Returns the start of the response; empty if the connection ended at once.
std::expected<std::string, std::string> ask_in_plain(const Target& target,
                                                     std::chrono::milliseconds patience) {
    const auto socket = connect(target.address, patience);
    if (!socket) return std::unexpected{socket.error()};
    const auto request = request_of(target);
    std::string answer(answer_bytes, '\0');
    const auto sent = net::uninterrupted(
        [&] { return ::send(socket->get(), request.data(), request.size(), MSG_NOSIGNAL); });
    if (sent < 0) return no_answer();
    const auto got = receive_all(socket->get(), answer);
    if (got < 0 && errno != ECONNRESET) return no_answer();
    answer.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return answer;
}

std::expected<std::string, tls::NoAnswer> ask_over_tls(const Target& target, const Manner& manner) {
    const auto socket = connect(target.address, manner.patience);
    if (!socket) return std::unexpected{tls::NoAnswer{.why = socket.error()}};
    const auto request = request_of(target);
    return tls::ask(
        socket->get(),
        {.request = request, .answer_bytes = answer_bytes, .host = target.host, .ca = manner.ca});
}

std::expected<Status, std::string> checked(const std::string& answer, bool over_tls) {
    if (const auto status = status_of(answer); !status.empty())
        return Status{.digits = std::string{status}, .over_tls = over_tls};
    return std::unexpected{"does not answer in HTTP"};
}

struct Scheme {
    std::string_view begin;
    Target::Scheme scheme;
    std::uint16_t port;
};
constexpr std::array schemes{Scheme{"http://", Target::Scheme::http, 80},
                             Scheme{"https://", Target::Scheme::https, 443}};

/// Returns the address in a URL whose scheme was removed. The path and the authority go into
/// `target`; the fragment is dropped.
std::string place_of(std::string text, Target& target) {
    const auto mark = text.find_first_of("/?#");
    if (const auto begin = std::min(mark, text.size()); begin < text.size()) {
        target.path = text.substr(begin, text.find('#', begin) - begin);
        if (!target.path.starts_with('/')) target.path.insert(0, "/");
    }
    text.resize(std::min(mark, text.size()));
    target.authority = text;
    return text;
}

std::string fault_of(const std::string& text, const std::string& place) {
    if (place.empty()) return "'" + text + "' names no address";
    if (place.contains("://")) return "'" + text + "' begins with neither http:// nor https://";
    return endpoint_fault(place);
}

}  // namespace

std::expected<Target, std::string> parse_target(const std::string& text,
                                                std::uint16_t default_port) {
    Target target{};
    std::string place = text;
    for (const Scheme& each : schemes) {
        if (!text.starts_with(each.begin)) continue;
        target.scheme = each.scheme;
        default_port = each.port;
        place = place_of(text.substr(each.begin.size()), target);
    }
    const auto addresses = server::parse_endpoints(place, default_port);
    if (addresses.empty()) return std::unexpected{fault_of(text, place)};
    // A server that listens on several addresses responds on each; 0.0.0.0 leads to this machine.
    target.address = addresses.front();
    const bool has_name = place.starts_with("localhost") || target.address.is_unix();
    if (!has_name && !target.address.is_any()) target.host = target.address.host();
    return target;
}

std::expected<Status, std::string> ask(const Target& target, const Manner& manner) {
    using enum Target::Scheme;
    std::expected<Status, std::string> plain{};
    if (target.scheme != https) {
        const auto answer = ask_in_plain(target, manner.patience);
        if (!answer) return std::unexpected{answer.error()};
        plain = checked(*answer, false);
        if (target.scheme == http || (plain && plain->digits != "400")) return plain;
    }
    const auto answer = ask_over_tls(target, manner);
    if (answer) return checked(*answer, true);
    const bool is_tls = target.scheme == https || answer.error().speaks_tls;
    return is_tls ? std::unexpected{answer.error().why} : plain;
}

}  // namespace weir::cli
