#include "engines/peer/poll.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "base/troubles.h"
#include "net/descriptors.h"

namespace weir::engines {
namespace {

constexpr int pause_milliseconds = 20;

int look_at_parts(std::span<pollfd> watched) noexcept {
    const std::size_t most = std::max<std::size_t>(net::descriptor_limit(), 1);
    int ready = 0;
    for (; !watched.empty(); watched = watched.subspan(std::min(most, watched.size())))
        ready += std::max(::poll(watched.data(), std::min(most, watched.size()), 0), 0);
    return ready;
}

}  // namespace

int poll(std::span<pollfd> watched, int milliseconds) noexcept {
    const int ready = ::poll(watched.data(), watched.size(), milliseconds);
    if (ready >= 0 || errno == EINTR) [[likely]]
        return ready;
    if (errno == EINVAL) troubles().note(Trouble::descriptors);
    if (const int found = look_at_parts(watched); found > 0) return found;
    pause_after_failure(milliseconds);
    const int found = look_at_parts(watched);
    return found > 0 ? found : -1;
}

void pause_after_failure(int milliseconds) noexcept {
    const bool may_pause = milliseconds < 0 || milliseconds > pause_milliseconds;
    ::poll(nullptr, 0, may_pause ? pause_milliseconds : milliseconds);
}

}  // namespace weir::engines
