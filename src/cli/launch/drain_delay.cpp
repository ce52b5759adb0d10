#include "cli/launch/drain_delay.h"

#include <poll.h>

#include <array>

#include "server/background_thread.h"

namespace weir::cli {

DrainDelay::DrainDelay(server::Server& server, std::chrono::milliseconds delay,
                       const net::EventFd& stopping)
    : server_{server}, delay_{delay}, stopping_{stopping} {
    thread_ = server::start_background_thread([this] { run(); });
}

DrainDelay::~DrainDelay() {
    ended_.signal();
    thread_.join();
}

void DrainDelay::begin() const noexcept {
    server_.announce_stop();
    begun_.signal();
}

void DrainDelay::run() const noexcept {
    std::array waited{pollfd{begun_.fd(), POLLIN, 0}, pollfd{ended_.fd(), POLLIN, 0}};
    ::poll(waited.data(), waited.size(), -1);
    if (waited[1].revents != 0) return;
    if (::poll(&waited[1], 1, static_cast<int>(delay_.count())) > 0) return;
    server_.stop();
    stopping_.signal();
}

}  // namespace weir::cli
