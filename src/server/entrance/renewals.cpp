#include "server/entrance/renewals.h"

#include <poll.h>

#include <array>
#include <new>
#include <utility>

#include "base/background_thread.h"
#include "base/troubles.h"

namespace weir::server {

Renewals::~Renewals() {
    stopping_.signal();
    if (thread_.joinable()) thread_.join();
}

bool Renewals::renew() noexcept try {
    using enum http::Layer::Renewal::Result;
    http::Layer::Renewal renewal = layer_.renew();
    if (renewal.result == failed) log_.write(Severity::warning, renewal.sentence);
    if (renewal.result != done) return false;
    renewed_ = std::move(renewal.sentence);
    return true;
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
    return false;
}

void Renewals::tell() noexcept try {
    if (!renewed_.empty()) log_.write(Severity::info, std::exchange(renewed_, {}));
} catch (const std::bad_alloc&) {
    troubles().note(Trouble::memory);
}

void Renewals::renew_by_a_thread() {
    thread_ = start_background_thread([this] { run(); });
}

void Renewals::run() {
    std::array waited{pollfd{fd(), POLLIN, 0}, pollfd{stopping_.fd(), POLLIN, 0}};
    while (::poll(waited.data(), waited.size(), -1) < 0 || waited[1].revents == 0)
        if (waited[0].revents != 0 && renew()) tell();
}

}  // namespace weir::server
