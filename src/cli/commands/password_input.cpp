#include "cli/commands/password_input.h"

#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "base/last_error.h"
#include "cli/help/output.h"

namespace weir::cli {
namespace {

constexpr std::size_t line_bytes_max = 4'096;

/// Turns the terminal's echo off. A signal ends the waiting instead of the process, which would
/// leave the echo off. Signals are blocked outside of the waiting, so an earlier signal also ends
/// it.
class Silence {
   public:
    Silence() noexcept {
        struct sigaction interrupts{};
        interrupts.sa_handler = [](int) {};
        sigset_t blocked;
        ::sigemptyset(&blocked);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
            ::sigaction(signal, &interrupts, nullptr);
            ::sigaddset(&blocked, signal);
        }
        ::pthread_sigmask(SIG_BLOCK, &blocked, &mask_before_);
        if (::tcgetattr(STDIN_FILENO, &before_) != 0) return;
        termios silent = before_;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        silent.c_lflag |= ECHONL;
        is_on_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0;
    }
    ~Silence() {
        if (is_on_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
        ::pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
    }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

    bool is_on() const noexcept { return is_on_; }
    /// Returns false if a signal came.
    bool wait_for_input() const noexcept {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        return ::ppoll(&input, 1, nullptr, &mask_before_) > 0;
    }

   private:
    sigset_t mask_before_{};
    termios before_{};
    bool is_on_ = false;
};

/// Reads a line of standard input, without its line feed. The read is byte by byte, because the
/// bytes after the line belong to others. `terminal`: null if standard input is no terminal.
std::expected<std::string, std::string> read_line(const Silence* terminal = nullptr) {
    std::string line;
    for (;;) {
        if (terminal != nullptr && !terminal->wait_for_input())
            return std::unexpected{"interrupted"};
        char c = 0;
        const ssize_t size = ::read(STDIN_FILENO, &c, 1);
        if (size < 0 && errno == EINTR) return std::unexpected{"interrupted"};
        if (size < 0) return std::unexpected{"cannot read the password: " + last_error().message()};
        if (size == 0 && line.empty()) return std::unexpected{"there is no password"};
        if (size == 0 || c == '\n') return line;
        if (line.size() == line_bytes_max) return std::unexpected{"the password is too long"};
        line += c;
    }
}

/// The prompts go to standard error, because standard output is for the line of the password file.
std::expected<std::string, std::string> read_twice() {
    const Silence silence;
    if (!silence.is_on()) return std::unexpected{"the terminal would show the password"};
    say_error("Password: ");
    auto first = read_line(&silence);
    if (!first) return first;
    say_error("The same again: ");
    const auto second = read_line(&silence);
    if (!second) return second;
    if (*first != *second) return std::unexpected{"the two passwords differ"};
    return first;
}

}  // namespace

std::expected<std::string, std::string> read_password() {
    return ::isatty(STDIN_FILENO) == 1 ? read_twice() : read_line();
}

}  // namespace weir::cli
