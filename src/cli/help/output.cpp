#include "cli/help/output.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>

#include "net/clock.h"
#include "net/write_all.h"
#include "server/log/target/output.h"

namespace weir::cli {
namespace {

std::function<void(std::string_view)> other_for_errors;

/// Drops the bytes that the reader has not taken after half a second.
void write_soon(int fd, std::string_view text) {
    constexpr std::chrono::milliseconds patience{500};
    Instant now = net::read_instant();
    for (const Instant until = now + patience; !text.empty() && now < until;
         now = net::read_instant()) {
        const auto size = server::write_at_once(fd, text);
        if (size < 0 && errno != EAGAIN && errno != EINTR) return;
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        pollfd waited{fd, POLLOUT, 0};
        if (!text.empty()) ::poll(&waited, 1, net::wait_milliseconds(until, now));
    }
}

}  // namespace

int say(std::string_view text) {
    return net::write_all(STDOUT_FILENO, text) ? exit_code::success : exit_code::failure;
}

void announce(std::string_view text) { write_soon(STDOUT_FILENO, text); }

void say_if_taken(std::string_view line) {
    [[maybe_unused]] const auto written = server::write_at_once(STDOUT_FILENO, line);
}

void copy_errors_to(std::function<void(std::string_view)> other) {
    other_for_errors = std::move(other);
}

void say_error(std::string_view text) {
    write_soon(STDERR_FILENO, text);
    if (other_for_errors) other_for_errors(text);
}

bool takes_colour() {
    const auto variable = [](const char* name) {
        const char* const text = std::getenv(name);
        return std::string_view{text ? text : ""};
    };
    return ::isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() &&
           variable("TERM") != "dumb";
}

int fail(std::string_view command, std::string_view message) {
    std::string line{command};
    say_error(line.append(": ").append(message) += '\n');
    return exit_code::failure;
}

int tell(const NoOptions& why) {
    if (why.exit_code == exit_code::success) return say(why.text);
    say_error(why.text);
    return why.exit_code;
}

}  // namespace weir::cli
