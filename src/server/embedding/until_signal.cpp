#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "weir/server/server.h"

namespace weir::server {
namespace {

constexpr std::array signals{SIGINT, SIGTERM};

std::atomic<Server*> running{nullptr};
std::atomic<bool> has_asked{false};
static_assert(std::atomic<Server*>::is_always_lock_free);  // signal-safety(7)

void stop_running(int /*signal*/) noexcept {
    const int error = errno;
    if (Server* const server = running.load())
        has_asked.exchange(true) ? server->stop_now() : server->stop();
    errno = error;
}

/// The handlers of the signals, as long as it lives.
class Handlers {
   public:
    Handlers() noexcept {
        struct sigaction own{};
        own.sa_handler = stop_running;
        own.sa_flags = SA_RESTART;
        ::sigemptyset(&own.sa_mask);
        for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &own, &before_[i]);
    }
    ~Handlers() {
        for (std::size_t i = 0; i < signals.size(); ++i)
            ::sigaction(signals[i], &before_[i], nullptr);
    }
    Handlers(const Handlers&) = delete;
    Handlers& operator=(const Handlers&) = delete;

   private:
    std::array<struct sigaction, signals.size()> before_{};
};

}  // namespace

std::expected<void, Failure> Server::run_until_signal() {
    Server* nothing = nullptr;
    if (!running.compare_exchange_strong(nothing, this))
        return std::unexpected{
            Failure{.what = "another server of this process waits for signals already",
                    .code = std::make_error_code(std::errc::device_or_resource_busy),
                    .address = {}}};
    has_asked = false;
    const auto ended = [this] {
        const Handlers handlers;
        return run();
    }();
    running = nullptr;  // after the handlers: a signal in between is the program's again
    return ended;
}

}  // namespace weir::server
