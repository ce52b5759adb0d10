#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/options/option_reader.h"
#include "cli/readers/operate_reader.h"
#include "supervisor/control_socket.h"

// `weir reload`, `weir upgrade`, `weir stop` and `weir status` speak with a supervisor.
namespace weir::cli {
namespace {

using supervisor::Request;

struct Wording {
    std::string_view summary;
    std::string_view description;
};

constexpr Wording wording(Request request) {
    switch (request) {
        case Request::reload:
            return {"replace a running server by one with its configuration read anew",
                    "Starts a new generation of the server with the same command line. Once it "
                    "serves, the old one finishes its requests. If the new one does not get ready, "
                    "the old one goes on, and the exit code is 1."};
        case Request::upgrade:
            return {"replace a running server by the program that is installed now",
                    "Does what `weir reload` does, with the program that is now in the file by "
                    "which the server was started."};
        case Request::stop:
            return {"stop a running server",
                    "Has the server finish its requests, and returns when it has ended."};
        case Request::status: break;
    }
    return {"say which generations of a server run",
            "Prints which generations run, and their "
            "processes."};
}

struct ControlReader {
    explicit ControlReader(Request request)
        : reader{{.command = name_of(request),
                  .summary = wording(request).summary,
                  .usage = "[option...]",
                  .description = wording(request).description}} {
        reader.group("Options");
        reader.value("--control", "unix:PATH", address, parse_control,
                     "Control socket of the server: what its --control says (default: the value "
                     "of WEIR_CONTROL)");
        reader.help_flag();
    }

    std::optional<net::Address> address;
    OptionReader reader;
};

/// What --control or the variable says.
Parsed<net::Address> control_address(const std::optional<net::Address>& given) {
    if (given) return *given;
    const char* const variable = std::getenv("WEIR_CONTROL");
    if (!variable || *variable == '\0')
        return std::unexpected{"--control is missing, and WEIR_CONTROL is not set"};
    const auto address = parse_control(variable);
    if (!address) return std::unexpected{"WEIR_CONTROL: " + address.error()};
    return *address;
}

int control(Request request, std::vector<std::string> arguments) {
    const std::string command = "weir " + std::string{name_of(request)};
    ControlReader options{request};
    if (const auto read = options.reader.read(std::move(arguments), [] {}); !read)
        return tell(read.error());
    const auto address = control_address(options.address);
    if (!address) return tell(wrong_use(command, address.error()));
    // A reload takes as long as the server allows it.
    const std::chrono::seconds limit{request == Request::status ? 5 : 0};
    const auto answer = supervisor::ask(*address, request, limit);
    if (!answer) return fail(command, answer.error());
    return answer->is_ok ? say(answer->text + '\n') : fail(command, answer->text);
}

}  // namespace

int reload(std::vector<std::string> arguments) {
    return control(Request::reload, std::move(arguments));
}
int upgrade(std::vector<std::string> arguments) {
    return control(Request::upgrade, std::move(arguments));
}
int stop(std::vector<std::string> arguments) {
    return control(Request::stop, std::move(arguments));
}
int show_status(std::vector<std::string> arguments) {
    return control(Request::status, std::move(arguments));
}

Page reload_page() { return ControlReader{Request::reload}.reader.page(); }
Page upgrade_page() { return ControlReader{Request::upgrade}.reader.page(); }
Page stop_page() { return ControlReader{Request::stop}.reader.page(); }
Page status_page() { return ControlReader{Request::status}.reader.page(); }

}  // namespace weir::cli
