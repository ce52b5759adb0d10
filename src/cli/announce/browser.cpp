#include "cli/announce/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ranges>
#include <string_view>

#include "base/last_error.h"
#include "net/uninterrupted.h"

namespace weir::cli {
namespace {

std::string_view variable(const char* name) {
    const char* const text = std::getenv(name);
    return text ? text : "";
}

CommandLine command_line(std::string_view command, const std::string& url) {
    CommandLine line;
    bool has_url = false;
    for (const auto part : std::views::split(command, ' ')) {
        std::string word{std::string_view{part}};
        if (word.empty()) continue;
        if (const auto at = word.find("%s"); at != std::string::npos) {
            word.replace(at, 2, url);
            has_url = true;
        }
        line.push_back(std::move(word));
    }
    if (!line.empty() && !has_url) line.push_back(url);
    return line;
}

/// The arguments for execvp(3). They are made before the fork, because the child of a process with
/// threads must not allocate memory.
using Arguments = std::vector<char*>;

std::vector<Arguments> arguments_of(std::vector<CommandLine>& commands) {
    std::vector<Arguments> all;
    for (CommandLine& command : commands) {
        Arguments& arguments = all.emplace_back();
        for (std::string& word : command) arguments.push_back(word.data());
        arguments.push_back(nullptr);
    }
    return all;
}

struct Pipe {
    net::UniqueFd reader;
    net::UniqueFd writer;
};

std::expected<Pipe, std::string> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::unexpected{last_error().message()};
    return Pipe{.reader = net::UniqueFd{ends[0]}, .writer = net::UniqueFd{ends[1]}};
}

/// True if there was a byte, false at the end of the pipe.
bool read_byte(const net::UniqueFd& pipe) {
    char byte = 0;
    return net::uninterrupted([&] { return ::read(pipe.get(), &byte, 1); }) > 0;
}

/// Turns the child process into the browser. It writes a byte to `failed` if no browser could be
/// started.
[[noreturn]] void become(const std::vector<Arguments>& commands, const net::UniqueFd& go,
                         const net::UniqueFd& failed) {
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, fd);
    if (nothing > STDERR_FILENO) ::close(nothing);
    ::signal(SIGPIPE, SIG_DFL);  // execvp(3) would keep an ignored signal ignored
    if (!read_byte(go)) ::_exit(1);
    for (const Arguments& arguments : commands) ::execvp(arguments[0], arguments.data());
    [[maybe_unused]] const auto written = ::write(failed.get(), "", 1);
    ::_exit(1);
}

}  // namespace

std::vector<CommandLine> browser_commands(const std::string& url) {
    std::vector<CommandLine> commands;
    for (const auto part : std::views::split(variable("BROWSER"), ':'))
        if (auto line = command_line(std::string_view{part}, url); !line.empty())
            commands.push_back(std::move(line));
    // Without a display, xdg-open would start a browser in the terminal.
    if (!variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty())
        commands.push_back({"xdg-open", url});
    return commands;
}

std::expected<Browser, std::string> Browser::prepare(const std::string& url) {
    auto commands = browser_commands(url);
    if (commands.empty())
        return std::unexpected{"there is no display to open a browser on, and BROWSER is not set"};
    const auto arguments = arguments_of(commands);
    auto go = make_pipe();
    auto failed = make_pipe();
    if (!go || !failed) return std::unexpected{(go ? failed : go).error()};
    const pid_t between = ::fork();
    if (between < 0) return std::unexpected{last_error().message()};
    if (between == 0) {
        go->writer.reset();  // the pipe must end when the server ends
        // The intermediate process ends at once, so that init reaps the browser.
        ::setsid();
        if (::fork() == 0) become(arguments, go->reader, failed->writer);
        ::_exit(0);
    }
    net::uninterrupted([&] { return ::waitpid(between, nullptr, 0); });
    return Browser{std::move(go->writer), std::move(failed->reader)};
}

std::expected<void, std::string> Browser::open() {
    [[maybe_unused]] const auto written = ::write(go_.get(), "", 1);
    if (read_byte(failed_))
        return std::unexpected{"no browser was found: install xdg-utils or set BROWSER"};
    return {};
}

}  // namespace weir::cli
