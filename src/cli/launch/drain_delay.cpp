#include "cli/launch/drain_delay.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/background_thread.h"
#include "net/uninterrupted.h"

namespace weir::cli {

DrainDelay::DrainDelay(std::chrono::milliseconds delay, std::function<void()> stop)
    : delay_{delay}, stop_{std::move(stop)} {
    thread_ = start_background_thread([this] { run(); });
}

DrainDelay::~DrainDelay() {
    ended_.signal();
    thread_.join();
}

void DrainDelay::run() const {
    std::array waited{pollfd{ended_.fd(), POLLIN, 0}, pollfd{begun_.fd(), POLLIN, 0}};
    net::uninterrupted([&] { return ::poll(waited.data(), waited.size(), -1); });
    if (waited[0].revents != 0) return;
    constexpr std::chrono::milliseconds longest{std::numeric_limits<int>::max()};
    const auto milliseconds = static_cast<int>(std::min(delay_, longest).count());
    if (net::uninterrupted([&] { return ::poll(waited.data(), 1, milliseconds); }) == 0) stop_();
}

}  // namespace weir::cli
