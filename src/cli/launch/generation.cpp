#include "cli/launch/generation.h"

#include <sys/prctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "cli/help/output.h"
#include "cli/launch/signals.h"
#include "supervisor/activation.h"
#include "supervisor/supervisor.h"

namespace weir::cli {
namespace {

std::unique_ptr<supervisor::Link> link_to_supervisor;

/// Of the whole command line, its name first.
std::vector<std::string> own_arguments() {
    std::ifstream file{"/proc/self/cmdline", std::ios::binary};
    const std::string all{std::istreambuf_iterator<char>{file}, {}};
    std::vector<std::string> arguments;
    for (const auto each : std::views::split(all, '\0'))
        arguments.emplace_back(std::string_view{each});
    if (!arguments.empty()) arguments.pop_back();  // each argument ends with a NUL
    return arguments;
}

/// The kernel has named the process after the link that was executed: "exe".
void name_process() {
    const auto arguments = own_arguments();
    if (arguments.empty()) return;
    ::prctl(PR_SET_NAME, std::filesystem::path{arguments.front()}.filename().c_str());
}

bool is_this_program(const std::string& file) {
    struct stat one{};
    struct stat other{};
    return ::stat(file.c_str(), &one) == 0 && ::stat("/proc/self/exe", &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

std::string absolute(const std::string& file) {
    std::error_code error;
    const auto path = std::filesystem::absolute(file, error);
    return error ? file : path.string();
}

/// The file that the user called, by which an upgrade finds what stands there later. It may be a link.
std::string program_file(const std::string& name) {
    if (name.contains('/') && is_this_program(name)) return absolute(name);
    const char* const path = std::getenv("PATH");
    for (const auto folder : std::views::split(std::string_view{path ? path : ""}, ':')) {
        const auto file = std::string{std::string_view{folder}} + '/' + name;
        if (!name.contains('/') && is_this_program(file)) return absolute(file);
    }
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

/// systemd's protocol for services is the supervisor's (Type=notify).
bool is_supervised(const OperateOptions& options) {
    return options.control || options.supervise || std::getenv("NOTIFY_SOCKET") ||
           std::getenv(supervisor::supervisor_variable);
}

/// The sockets of systemd are listened on in any case. Without --bind, nothing else is.
void listen_on(const std::vector<supervisor::Activated>& activated, LaunchOptions& options) {
    std::vector<std::string>& addresses = options.server.addresses;
    if (!activated.empty() && !options.has_addresses) addresses.clear();
    for (const supervisor::Activated& each : activated) {
        const bool redirects = each.redirects && options.tls.on;
        auto& list = redirects ? options.server.redirect_addresses : addresses;
        const auto text = supervisor::address_text(each.fd);
        if (std::ranges::find(list, text) == list.end()) list.push_back(text);
    }
}

}  // namespace

void attach_to_supervisor() {
    link_to_supervisor = supervisor::Link::from_environment();
    if (!link_to_supervisor) return;
    name_process();
    copy_errors_to([](std::string_view text) { link_to_supervisor->say(text); });
}

supervisor::Link* supervisor_link() noexcept { return link_to_supervisor.get(); }

std::optional<int> supervise(std::string_view command, LaunchOptions& options) {
    if (link_to_supervisor) {
        options.server.given_sockets = link_to_supervisor->sockets();
        listen_on(link_to_supervisor->activated(), options);
        return std::nullopt;
    }
    if (!is_supervised(options.operate)) {
        std::vector<std::string> complaints;
        const auto activated = supervisor::take_activated(complaints);
        for (const std::string& each : complaints)
            say_error(std::string{command} + ": warning: " + each + '\n');
        for (const supervisor::Activated& each : activated)
            options.server.given_sockets.push_back(each.fd);
        listen_on(activated, options);
        return std::nullopt;
    }
    auto arguments = own_arguments();
    const auto early = signals_so_far();
    const auto file = arguments.empty() ? std::string{} : program_file(arguments.front());
    return supervisor::supervise(
        {.command = std::string{command},
         .arguments = std::move(arguments),
         .file = file,
         .control = options.operate.control,
         .ready_timeout = options.operate.ready_timeout,
         .stops_within = options.server.stop_timeout + options.operate.drain_delay,
         .early_stops = early.stops,
         .early_reload = early.reload,
         .outlives_terminal = early.outlives_terminal,
         .say = [](std::string_view line) { say_error(line); }});
}

}  // namespace weir::cli
