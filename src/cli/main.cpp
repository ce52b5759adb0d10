#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <initializer_list>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/help/output.h"
#include "cli/reload/generation.h"
#include "cli/reload/signals.h"
#include "cli/service/service.h"
#include "net/system/system_limits.h"

namespace weir::cli {
namespace {

/// Opens those of the descriptors 0, 1 and 2 that are closed: a socket that got such a number would
/// get the messages, too.
void open_standard_streams() noexcept {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        const int opened = ::open("/dev/null", O_RDWR);
        if (opened > STDERR_FILENO) ::close(opened);
    }
}

int run_command(int count, char** arguments) {
    try {
        if (const auto exit_code = go_on_as_supervisor()) return *exit_code;
        attach_to_supervisor();
        attach_to_systemd();
        take_signals();
        return run(std::vector<std::string>(arguments + (count > 0 ? 1 : 0), arguments + count));
    } catch (const std::system_error& error) {
        return fail(net::with_limit("weir", error.code()), error.what());
    } catch (const std::bad_alloc&) {
        const auto none = std::make_error_code(std::errc::not_enough_memory);
        return fail(net::with_limit("weir", none), none.message());
    } catch (const std::exception& exception) {
        return fail("weir", exception.what());
    }
}

}  // namespace
}  // namespace weir::cli

int main(int count, char** arguments) {
    using namespace weir::cli;
    open_standard_streams();
    const int exit_code = run_command(count, arguments);
    tell_failure(exit_code);
    return exit_code;
}
