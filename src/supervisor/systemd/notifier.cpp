#include "supervisor/systemd/notifier.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/last_error.h"
#include "net/uninterrupted.h"

namespace weir::supervisor {
namespace {

constexpr const char* notify_variable = "NOTIFY_SOCKET";

/// Connects to the place. A full queue of systemd makes send(2) wait a second at most.
std::error_code connect_to(const net::UniqueFd& socket, std::string_view place) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, place.data(), place.size());
    if (place.front() == '@') address.sun_path[0] = '\0';  // an abstract name: unix(7)
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + place.size());
    constexpr timeval patience{.tv_sec = 1, .tv_usec = 0};
    if (::setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0 ||
        ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0)
        return last_error();
    return {};
}

}  // namespace

std::expected<Notifier, std::string> Notifier::open(std::string_view place) {
    const std::string what = std::string{notify_variable} + ": '" + std::string{place} + "'";
    const bool is_place = place.size() > 1 && (place.front() == '/' || place.front() == '@');
    if (!is_place) return std::unexpected{what + " is neither a path nor an abstract socket"};
    if (place.size() >= sizeof(sockaddr_un::sun_path))
        return std::unexpected{what + " is too long for a unix socket"};
    net::UniqueFd socket{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
    const auto error = socket ? connect_to(socket, place) : last_error();
    if (error) return std::unexpected{what + " can't be reached: " + error.message()};
    return Notifier{std::move(socket), ::getpid()};
}

void Notifier::send(std::string_view lines) const noexcept {
    if (!socket_ || ::getpid() != owner_) return;
    const int before = errno;
    net::uninterrupted(
        [&] { return ::send(socket_.get(), lines.data(), lines.size(), MSG_NOSIGNAL); });
    errno = before;
}

void Notifier::tell_reloading() const noexcept {
    constexpr std::string_view beginning = "RELOADING=1\nMONOTONIC_USEC=";
    constexpr std::size_t digits_max = 20;
    std::array<char, beginning.size() + digits_max> text;
    beginning.copy(text.data(), beginning.size());
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    const auto microseconds = now.tv_sec * 1'000'000LL + now.tv_nsec / 1'000;
    const auto end =
        std::to_chars(text.data() + beginning.size(), text.data() + text.size(), microseconds);
    send({text.data(), end.ptr});
}

std::string status_line(std::string_view text) {
    return "STATUS=" + std::string{text.substr(0, text.find('\n'))};
}

// NOLINTBEGIN(concurrency-mt-unsafe): the process has one thread
std::expected<Notifier, std::string> take_notifier() {
    const char* const value = std::getenv(notify_variable);
    if (!value || *value == '\0') return Notifier{};
    auto notifier = Notifier::open(value);
    ::unsetenv(notify_variable);
    return notifier;
}
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace weir::supervisor
