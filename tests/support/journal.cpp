#include "support/journal.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "support/incoming.h"
#include "support/time_limit.h"

namespace weir::tests {

Journal::Journal() {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) throw Unexpected{"pipe2"};
    out_.reset(ends[0]);
    in_.reset(ends[1]);
    constexpr int bytes = 1024 * 1024;
    ::fcntl(in_.get(), F_SETPIPE_SZ, bytes);
}

void Journal::note(std::string_view line) noexcept {
    const auto text = std::string{line} + "\n";  // one write of less than PIPE_BUF bytes is atomic
    if (::write(in_.get(), text.data(), text.size()) < 0) std::abort();
}

bool Journal::read_more(int timeout_ms) {
    pollfd waited{out_.get(), POLLIN, 0};
    if (::poll(&waited, 1, timeout_ms) <= 0) return false;
    std::array<char, 4096> buffer;
    const auto size = ::read(out_.get(), buffer.data(), buffer.size());
    if (size <= 0) return false;
    partial_.append(buffer.data(), static_cast<std::size_t>(size));
    for (std::size_t end; (end = partial_.find('\n')) != std::string::npos;) {
        lines_.push_back(partial_.substr(0, end));
        partial_.erase(0, end + 1);
    }
    return true;
}

void Journal::await(std::initializer_list<std::string_view> lines) {
    while (std::ranges::find_first_of(lines_, lines) == lines_.end())
        if (!read_more(static_cast<int>(time_limit.count())))
            throw TimedOut{"nobody noted: " + std::string{*lines.begin()}};
}

int Journal::count(std::string_view line) {
    return static_cast<int>(std::ranges::count(lines(), line));
}

std::vector<std::string> Journal::lines() {
    while (read_more(0)) {}
    return lines_;
}

}  // namespace weir::tests
