#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace weir::site {

/// Calls `visit(event, name)` for each pending report of inotify(7). The descriptor must not block.
template <typename Visit>
void for_each_report(int inotify, Visit visit) {
    alignas(inotify_event) std::array<char, 16 * 1024> buffer;
    for (;;) {
        const ssize_t size = ::read(inotify, buffer.data(), buffer.size());
        if (size <= 0) return;
        for (ssize_t at = 0; at < size;) {
            const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
            visit(*event, std::string_view{event->len > 0 ? event->name : ""});
            at += static_cast<ssize_t>(sizeof *event + event->len);
        }
    }
}

}  // namespace weir::site
