#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/options/option_reader.h"
#include "net/unique_fd.h"
#include "server/endpoint.h"

// `weir health` checks whether a server answers. A container with nothing but weir has no other
// client.
namespace weir::cli {
namespace {

constexpr timeval patience{.tv_sec = 4, .tv_usec = 0};

std::string first_line_of(const char* variable, const char* otherwise) {
    const char* const text = std::getenv(variable);
    const std::string_view value = text && *text != '\0' ? text : otherwise;
    return std::string{value.substr(0, value.find('\n'))};
}

struct HealthReader {
    HealthReader() {
        reader.group("Options");
        reader.value(
            "ADDRESS", "", address, parse_text,
            "Address of the server, as --bind takes it: 127.0.0.1:8080, [::1]:8080, :8080, "
            "unix:/path");
        reader.help_flag();
    }

    std::string address = first_line_of("WEIR_BIND", "127.0.0.1");
    OptionReader reader{{.command = "health",
                         .summary = "check that a server answers",
                         .usage = "[ADDRESS]",
                         .description =
                             "Sends one request, and exits with 0 if the answer is below 500, "
                             "with 1 otherwise. Without ADDRESS, it asks where `weir serve` "
                             "listens: at WEIR_BIND and WEIR_PORT, or 127.0.0.1:8000."}};
};

std::string last_error() { return std::generic_category().message(errno); }

/// Returns "200" for "HTTP/1.1 200"; empty if the text is not an answer in HTTP.
std::string_view status_of(std::string_view answer) {
    constexpr std::string_view version = "HTTP/1.1 ";
    const bool is_http = answer.size() == version.size() + 3 && answer.starts_with("HTTP/1.");
    const auto status = answer.substr(is_http ? version.size() : answer.size());
    return status.find_first_not_of("0123456789") == status.npos ? status : std::string_view{};
}

/// Returns the first bytes of the answer: "HTTP/1.1 200".
std::expected<std::string, std::string> ask(const net::Address& address) {
    constexpr std::string_view request =
        "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const net::UniqueFd socket{::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (!socket) return std::unexpected{last_error()};
    // SO_SNDTIMEO also limits connect(2).
    for (const int option : {SO_SNDTIMEO, SO_RCVTIMEO})
        ::setsockopt(socket.get(), SOL_SOCKET, option, &patience, sizeof patience);
    if (::connect(socket.get(), address.data(), address.size()) != 0 ||
        ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
        return std::unexpected{last_error()};
    std::array<char, std::string_view{"HTTP/1.1 200"}.size()> status;
    const auto got = ::recv(socket.get(), status.data(), status.size(), MSG_WAITALL);
    if (got < 0) return std::unexpected{last_error()};
    return std::string(status.data(), static_cast<std::size_t>(got));
}

}  // namespace

int check_health(std::vector<std::string> arguments) {
    HealthReader options;
    const auto read = options.reader.read(std::move(arguments), [] {});
    if (!read) return tell(read.error());
    const auto port = parse_count(first_line_of("WEIR_PORT", "8000"), 65'535);
    if (!port) return tell(wrong_use("weir health", "WEIR_PORT: " + port.error()));
    const auto addresses =
        server::parse_endpoints(options.address, static_cast<std::uint16_t>(*port));
    if (addresses.empty())
        return tell(wrong_use("weir health", "unknown address '" + options.address + "'"));
    // A server that listens on several addresses answers on each; 0.0.0.0 leads to this machine.
    const auto answer = ask(addresses.front());
    const std::string where = addresses.front().text();
    if (!answer) return fail("weir health", where + " does not answer: " + answer.error());
    const std::string status{status_of(*answer)};
    if (status.empty()) return fail("weir health", where + " does not answer in HTTP");
    if (status >= "500") return fail("weir health", where + " answers " + status);
    return say(where + " answers " + status + '\n');
}

Page health_page() { return HealthReader{}.reader.page(); }

}  // namespace weir::cli
