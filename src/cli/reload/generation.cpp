#include "cli/reload/generation.h"

#include <sys/auxv.h>
#include <sys/prctl.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/bytes/random_bytes.h"
#include "cli/config/document.h"
#include "cli/help/output.h"
#include "cli/help/version_number.h"
#include "cli/reload/changes.h"
#include "cli/reload/signals.h"
#include "cli/service/service.h"
#include "net/address.h"
#include "net/descriptors.h"
#include "supervisor/replacement.h"
#include "supervisor/supervisor.h"

namespace weir::cli {
namespace {

std::unique_ptr<supervisor::Link> link_to_supervisor;

constexpr const char* own_command_line = "/proc/self/cmdline";
constexpr const char* own_program = "/proc/self/exe";

/// Returns the whole command line, with the program's name first. Empty if it cannot be read.
std::vector<std::string> own_arguments() {
    std::ifstream file{own_command_line, std::ios::binary};
    std::vector<std::string> arguments;
    for (std::string each; std::getline(file, each, '\0');) arguments.push_back(each);
    if (file.bad() || !file.eof()) arguments.clear();  // a part would be other options
    return arguments;
}

/// Restores the name of the process: the kernel has named it after the link that was executed,
/// "exe".
void name_process() {
    const auto arguments = own_arguments();
    if (arguments.empty()) return;
    ::prctl(PR_SET_NAME, std::filesystem::path{arguments.front()}.filename().c_str());
}

/// Returns the path by which this program was started, with its links as they are, so that a later
/// version can be found by it (getauxval(3)). Returns the path of the file itself if it was started
/// in another way, as by fexecve(3).
std::string path_of_program() {
    namespace fs = std::filesystem;
    std::error_code error;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives the address as a number
    const auto* const given = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    const fs::path path = given ? fs::absolute(given, error) : fs::path{};
    const bool is_magic = path.native().starts_with("/proc/") || path.native().starts_with("/dev/");
    if (!is_magic && fs::equivalent(path, own_program, error))
        return path.lexically_normal().native();
    return fs::read_symlink(own_program, error).native();
}

supervisor::Program this_program(std::vector<std::string> arguments) {
    return {.file = own_program,
            .arguments = std::move(arguments),
            .version = std::string{version_number}};
}

void tell_settings(const ServeOptions& options) {
    if (!options.settings || !config::unavailable().empty()) return;
    const auto before = link_to_supervisor->settings_before();
    link_to_supervisor->tell_settings(*options.settings,
                                      before ? changes(*before, *options.settings) : "");
}

/// Adds to the sockets of the generation before those that systemd has passed, unless the
/// generation before had them.
std::vector<int> all_given(std::vector<int> sockets, const std::vector<int>& passed) {
    std::set<std::string> known;
    for (const int fd : sockets)
        if (const auto address = net::Address::of_socket(fd)) known.insert(address->text());
    for (const int fd : passed)
        if (const auto address = net::Address::of_socket(fd);
            address && !known.contains(address->text()))
            sockets.push_back(fd);
    return sockets;
}

}  // namespace

void attach_to_supervisor() {
    link_to_supervisor = supervisor::Link::from_environment();
    if (!link_to_supervisor) return;
    name_process();
    copy_errors_to([](std::string_view text) { link_to_supervisor->say(text); });
}

std::optional<int> go_on_as_supervisor() {
    auto state = supervisor::inherited_state();
    if (!state) return fail("weir", state.error());
    if (!*state) return std::nullopt;
    name_process();
    supervisor::Program program = this_program(own_arguments());
    program.watchdog = (*state)->watchdog;
    for (const supervisor::KeptClient& each : (*state)->passed)
        program.passed.sockets.push_back({.fd = each.socket, .name = each.text});
    const auto notifier = supervisor::Notifier::adopt((*state)->notifier);
    const supervisor::Settings settings{.command = (*state)->command,
                                        .program = std::move(program),
                                        .path = (*state)->path,
                                        .control = {},
                                        .ready_timeout = (*state)->ready_timeout,
                                        .stops_within = (*state)->stops_within,
                                        .outlives_terminal = (*state)->outlives_terminal,
                                        .say = [](std::string_view line) { say_error(line); },
                                        .notifier = notifier};
    return supervisor::go_on(settings, std::move(**state));
}

supervisor::Link* supervisor_link() noexcept { return link_to_supervisor.get(); }

bool is_first_generation() noexcept {
    return !link_to_supervisor || link_to_supervisor->number() == 1;
}

std::string shared_ticket_secret() {
    constexpr std::size_t bytes = 32;
    if (!link_to_supervisor) return {};
    auto secret = link_to_supervisor->take_ticket_secret();
    if (secret && secret->size() == bytes) return std::move(*secret);
    std::string made = random_bytes(bytes);
    link_to_supervisor->tell_ticket_secret(made);
    return made;
}

std::optional<int> supervise(std::string_view command, ServeOptions& options) {
    if (link_to_supervisor) {
        options.server.given_sockets =
            all_given(link_to_supervisor->sockets(), options.server.given_sockets);
        tell_settings(options);
        return std::nullopt;
    }
    if (!options.can_be_reloaded()) return std::nullopt;
    auto arguments = own_arguments();
    if (arguments.empty()) return fail(command, std::string{"cannot read "} + own_command_line);
    net::raise_descriptor_limit();  // the supervisor keeps the sockets of all workers
    const auto early = hold_signals();
    supervisor::Program program = this_program(std::move(arguments));
    program.passed = passed_sockets();
    program.watchdog = watchdog();
    return supervisor::supervise({.command = std::string{command},
                                  .program = std::move(program),
                                  .path = path_of_program(),
                                  .control = options.reload.control,
                                  .ready_timeout = options.reload.ready_timeout,
                                  .stops_within = options.server.stop_timeout,
                                  .early_stops = early.stops,
                                  .early_reload = early.reload,
                                  .early_upgrade = early.upgrade,
                                  .outlives_terminal = early.outlives_terminal,
                                  .say = [](std::string_view line) { say_error(line); },
                                  .notifier = notifier()});
}

}  // namespace weir::cli
