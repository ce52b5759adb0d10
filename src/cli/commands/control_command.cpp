#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/options/option_reader.h"
#include "cli/readers/reload_reader.h"
#include "supervisor/control_socket.h"

// `weir reload`, `weir upgrade`, `weir status` and `weir stop` ask a running server by its control socket.
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
            return {"have a running server read its options again",
                    "Has a server with --control read its configuration, its certificates and its "
                    "files again, and prints what has changed. No connection and no request is "
                    "lost. If something is wrong, all stays as it was, and the exit code is 1."};
        case Request::upgrade:
            return {"replace the program of a running server",
                    "Has a server with --control go on with the program file that is now at the "
                    "path by which it was started, as after the installation of another version. "
                    "The options are read again. No connection and no request is lost, and the "
                    "process ID stays. If something is wrong, all stays as it was, and the exit "
                    "code is 1."};
        case Request::stop:
            return {"stop a running server",
                    "Has a server with --control finish its requests, and returns when it has "
                    "ended."};
        case Request::status: break;
    }
    return {"show which processes a running server has",
            "Asks a server with --control which of its processes serves, and which still finish "
            "requests after a reload, and of which version they are."};
}

struct ControlReader {
    explicit ControlReader(Request request)
        : reader{{.command = name_of(request),
                  .summary = wording(request).summary,
                  .usage = "--control unix:PATH",
                  .description = wording(request).description}} {
        reader.group("Options");
        reader.take_from_variable(reader.value(
            "--control", "unix:PATH", address, parse_control,
            "Socket of the server, as in --control of weir serve; WEIR_CONTROL may name it"));
        reader.help_flag();
    }

    std::optional<net::Address> address;
    OptionReader reader;
};

int control(Request request, std::vector<std::string> arguments) {
    const std::string command = "weir " + std::string{name_of(request)};
    ControlReader options{request};
    const auto read = options.reader.read(std::move(arguments), [&options] {
        if (!options.address)
            throw WrongUse{
                "--control is missing: the socket of the server, which WEIR_CONTROL may name"};
    });
    if (!read) return tell(read.error());
    // A reload, an upgrade and a stop take as long as the server's options allow.
    const std::chrono::seconds limit{request == Request::status ? 5 : 0};
    const auto answer = supervisor::ask(*options.address, request, limit);
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
