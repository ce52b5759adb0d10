#include "cli/help/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "cli/command.h"

namespace weir::cli {
namespace {

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const auto size = ::write(fd, text.data(), text.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
}

}  // namespace

int say(std::string_view text) {
    return write_all(STDOUT_FILENO, text) ? exit_code::success : exit_code::failure;
}

void say_if_taken(std::string_view line) {
    pollfd waited{STDOUT_FILENO, POLLOUT, 0};
    if (::poll(&waited, 1, 0) > 0) write_all(STDOUT_FILENO, line);
}

void say_error(std::string_view text) { write_all(STDERR_FILENO, text); }

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
