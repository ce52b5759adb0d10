#include "supervisor/watchdog.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "net/address.h"

namespace weir::supervisor {
namespace {

long number_of(const char* variable) {
    const char* const value = std::getenv(variable);
    const std::string_view text{value ? value : ""};
    long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? number : 0;
}

}  // namespace

std::chrono::microseconds Watchdog::limit_from_environment() {
    constexpr long a_day = 86'400'000'000;
    const long pid = number_of("WATCHDOG_PID");
    const long limit = number_of("WATCHDOG_USEC");
    const bool is_ours = pid == 0 || pid == ::getpid();
    return std::chrono::microseconds{is_ours && limit > 0 && limit < a_day ? limit : 0};
}

void Watchdog::watch(std::vector<pollfd>& watched) const {
    if (!asking_) return;
    const short events = has_said_all_ ? POLLIN : POLLOUT;
    watched.push_back({asking_.get(), events, 0});
}

bool Watchdog::look(int socket, Instant now) {
    const bool answered = asking_ && has_answered();
    if (answered) asking_.reset();
    if (now < next_) return answered;
    next_ = now + pause_;
    if (!asking_ && socket >= 0) ask(socket);
    return answered;
}

// To 0.0.0.0 and ::, the kernel connects by way of the loopback.
void Watchdog::ask(int socket) {
    const auto address = net::Address::of_socket(socket);
    if (!address) return;
    has_said_all_ = false;
    asking_.reset(::socket(address->family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!asking_) return;
    const bool comes =
        ::connect(asking_.get(), address->data(), address->size()) == 0 || errno == EINPROGRESS;
    if (!comes) asking_.reset();  // the queue of a unix socket is full: that is no answer
}

bool Watchdog::has_answered() {
    pollfd state{asking_.get(), POLLIN | POLLOUT, 0};
    if (::poll(&state, 1, 0) <= 0) return false;
    if ((state.revents & (POLLERR | POLLNVAL)) != 0) {
        asking_.reset();  // refused, or reset: ask again
        return false;
    }
    if (!has_said_all_ && (state.revents & POLLOUT) != 0)
        has_said_all_ = ::shutdown(asking_.get(), SHUT_WR) == 0;
    char byte = 0;
    return ::recv(asking_.get(), &byte, 1, MSG_DONTWAIT) >= 0;
}

}  // namespace weir::supervisor
